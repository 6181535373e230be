// SPDX-License-Identifier: Apache-2.0
import CredentialStorage
import Credentials
import Foundation
import SecretMemory
import TestGround
import Testing

@testable import VaultRecovery

/// Whether file systems can be mounted here: as root, and not in a container that forbids it.
let canMount: Bool = {
    guard geteuid() == 0 else { return false }
    let point = NSTemporaryDirectory() + "autofilld-mount-\(UUID().uuidString)"
    guard mkdir(point, 0o700) == 0 else { return false }
    defer { rmdir(point) }
    guard mount("tmpfs", point, "tmpfs", 0, "size=64k") == 0 else { return false }
    return umount(point) == 0
}()

@Suite("Faults of the disk", .serialized)
struct FaultTests {
    @Test(
        "On a full disk a save is refused, all before it is there, releases continue, and with space the next save works",
        .enabled(if: canMount, "mounting a tmpfs needs root"))
    func fullDisk() throws {
        let directory = try TemporaryDirectory()
        try #require(mount("tmpfs", directory.path, "tmpfs", 0, "size=1m") == 0)
        defer { umount2(directory.path, Int32(MNT_DETACH)) }
        let vault = try Vault.new(directory.vault)
        let ballast = directory.path + "/ballast"
        try Data(count: 128 << 10).write(to: URL(fileURLWithPath: ballast))
        var saved = 0
        var refusal: VaultError?
        while refusal == nil, saved < 1000 {
            refusal = failure { try vault.writers.credentials.save("d\(saved).example", "ann", "p\(saved)") }
            if refusal == nil { saved += 1 }
        }
        #expect(refusal == .storageFull)
        #expect(saved > 5 && saved < 1000)
        func readable() throws -> Int {
            try (0..<1000).prefix { try vault.password("d\($0).example", "ann") == "p\($0)" }.count
        }
        #expect(try readable() == saved)
        #expect(vault.counts?.credentials == saved)
        #expect(failure { try vault.writers.offers.insert(Offer.test(1)) } == .storageFull)
        // Not a byte is left; but the record of releases has space of its own.
        let filler = open(directory.path + "/filler", O_WRONLY | O_CREAT, 0o600)
        let page = [UInt8](repeating: 1, count: 4096)
        while write(filler, page, page.count) == page.count {}
        close(filler)
        for number in 0..<50 {
            try vault.releases.append(.test(Int64(number)))
            try vault.releases.commit()
        }
        #expect(try vault.readers.releases.page(before: nil, limit: 100).elements.count == 50)

        try FileManager.default.removeItem(atPath: ballast)
        try FileManager.default.removeItem(atPath: directory.path + "/filler")
        try vault.writers.credentials.save("late.example", "ann", "late")
        try vault.releases.sync(at: .at())
        #expect(try readable() == saved)
        #expect(try vault.check().isIntact)
        vault.close()
        let again = try Vault.unlocked(directory.vault)
        #expect(try again.password("late.example", "ann") == "late")
        #expect(try again.password("d\(saved - 1).example", "ann") == "p\(saved - 1)")
        #expect(again.counts?.credentials == saved + 1 && again.counts?.releases == 50)
    }

    @Test("A limit on the size of files refuses the save that does not fit, and nothing else is lost")
    func fileSizeLimit() throws {
        // The limit is the whole process's, and what it starts has it too.
        let (status, output) = try runInOwnProcess("SmallFilesChild", "AUTOFILL_SMALL_FILES_CHILD")
        #expect(status == 0, "\(output)")
    }

    @Test(
        "A vault cannot be made on a full disk, and nothing half-made stays",
        .enabled(if: canMount, "mounting a tmpfs needs root"))
    func fullDiskAtCreation() throws {
        let directory = try TemporaryDirectory()
        try #require(mount("tmpfs", directory.path, "tmpfs", 0, "size=64k") == 0)
        defer { umount2(directory.path, Int32(MNT_DETACH)) }
        let vault = try Vault.open(directory.vault)
        #expect(failure { try vault.create([.test()], at: .at()) } == .storageFull)
        #expect(vault.state == .missing)
        #expect(!FileManager.default.fileExists(atPath: directory.database))
        #expect(!FileManager.default.fileExists(atPath: directory.database + ".new"))
    }

    @Test("On a read-only file system the vault reports that", .enabled(if: canMount, "mounting a tmpfs needs root"))
    func readOnly() throws {
        let directory = try TemporaryDirectory()
        let vault = try Vault.new(directory.vault)
        try vault.writers.credentials.save("shop.example", "ann", "p")
        vault.close()
        // A mount of its own: of a whole file system, a child that another test is starting may have a file open still.
        try #require(mount(directory.path, directory.path, nil, UInt(MS_BIND), nil) == 0)
        defer { umount2(directory.path, Int32(MNT_DETACH)) }
        try #require(mount(nil, directory.path, nil, UInt(MS_REMOUNT | MS_BIND | MS_RDONLY), nil) == 0)
        #expect(failure { _ = try Vault.open(directory.vault) } == .readOnly)
        try #require(umount2(directory.path, Int32(MNT_DETACH)) == 0)
        #expect(try Vault.unlocked(directory.vault).password("shop.example", "ann") == "p")
    }

    @Test(
        "A directory that may not be searched is an error, not an absence",
        .enabled(if: geteuid() != 0, "root may search any directory"))
    func permissionLost() throws {
        let directory = try TemporaryDirectory()
        let vault = try Vault.new(directory.vault)
        vault.close()
        chmod(directory.vaultPath, 0)
        defer { chmod(directory.vaultPath, 0o700) }
        #expect(failure { _ = try Vault.open(directory.vault) } == .permissionLost(path: directory.database))
    }

    @Test("A log cut off at any byte, as a power cut may leave it, costs no save that was synchronised before the cut")
    func cutLog() throws {
        let directory = try TemporaryDirectory()
        let vault = try Vault.new(directory.vault)
        var lengths: [Int] = []
        func logLength() -> Int {
            var status = stat()
            return stat(directory.database + "-wal", &status) == 0 ? Int(status.st_size) : 0
        }
        for number in 0..<12 {
            try vault.writers.credentials.save("d\(number).example", "ann", "p\(number)")
            lengths.append(logLength())
        }
        let live = try TemporaryDirectory()
        try Tampering.copyFiles(from: directory.vaultPath, to: live)
        var generator = SeededGenerator(seed: 4)
        for _ in 0..<25 {
            let cut = Int.random(in: 0...(lengths.last ?? 0), using: &generator)
            let copy = try TemporaryDirectory()
            try Tampering.copyFiles(from: live.vaultPath, to: copy)
            truncate(copy.database + "-wal", off_t(cut))
            let complete = lengths.count { $0 <= cut }
            let again = try Vault.open(copy.vault, seed: 2)
            // The mark in vault.releases is that of the end; a power cut leaves none that is newer than the log.
            if try !again.unlock(.key()).findings.isEmpty { _ = try again.repair(at: .at(), takesOlder: true) }
            #expect(try again.check().isIntact)
            #expect(again.counts?.credentials == complete)
            for number in 0..<complete { #expect(try again.password("d\(number).example", "ann") == "p\(number)") }
        }
    }
}

/// What runs in a process that may not write large files.
@Suite(.enabled(if: getenv("AUTOFILL_SMALL_FILES_CHILD") != nil, "runs within another test"))
struct SmallFilesChild {
    @Test("The save that does not fit is refused, and nothing else is lost") func fileSizeLimit() throws {
        let directory = try TemporaryDirectory()
        let vault = try Vault.new(directory.vault)
        let note = SecretBytes(copying: repeatElement(1, count: 3 << 20), count: 3 << 20)
        for number in 0..<12 {
            _ = try vault.setItem(accessGroup: "g", service: "s", account: "\(number)", data: note, at: .at())
        }
        try vault.writers.credentials.save("before.example", "ann", "before")
        vault.close()
        let again = try Vault.unlocked(directory.vault)

        signal(SIGXFSZ, SIG_IGN)
        var old = rlimit()
        try #require(getrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &old) == 0)
        defer { setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &old) }
        var tight = rlimit(rlim_cur: 40 << 20, rlim_max: old.rlim_max)
        try #require(setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &tight) == 0)
        var refusal: VaultError?
        var written = 12
        while refusal == nil, written < 40 {
            refusal = failure {
                _ = try again.setItem(accessGroup: "g", service: "s", account: "\(written)", data: note, at: .at())
            }
            if refusal == nil { written += 1 }
        }
        #expect(refusal == .storageFull)
        #expect(written < 40)
        #expect(try again.count(accessGroup: "g", service: "s") == written)
        #expect(try again.password("before.example", "ann") == "before")

        setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &old)
        try again.writers.credentials.save("after.example", "ann", "after")
        #expect(try again.check().isIntact)
        again.close()
        let third = try Vault.unlocked(directory.vault, seed: 3)
        #expect(try third.count(accessGroup: "g", service: "s") == written)
        #expect(try third.password("after.example", "ann") == "after")
    }
}
