// SPDX-License-Identifier: Apache-2.0
import Credentials
import Foundation
import TestGround
import Testing

@testable import CredentialStorage
@testable import VaultFormat
@testable import VaultRecovery

@Suite("What survives a power cut, and a disk that is full", .serialized)
struct DurabilityTests {
    @Test("Directory entries are synced, and a restore that fails loses no file of the vault")
    func durability() throws {
        let folder = try TemporaryDirectory()
        let (status, output) = try runInOwnProcess(
            "DurabilityChild", "AUTOFILL_DURABILITY_CHILD",
            environment: ["LD_PRELOAD": try FaultLibrary.build(in: folder.path), "SWIFT_BACKTRACE": "enable=no"])
        #expect(status == 0, "\(output.suffix(8000))")
    }

    @Test("A releases file that a killed restore has moved is back at its path after the next start")
    func killedRestore() throws {
        let home = try TemporaryDirectory()
        try Vault.new(home.vault).close()
        let files = VaultDirectory(path: home.vaultPath)
        try VaultDirectory.make(files.replaced)
        let kept = files.replaced + "/vault-1.sqlite"
        try FileManager.default.linkItem(atPath: files.database, toPath: kept)
        try Data("entries".utf8).write(to: URL(filePath: VaultDirectory.releaseLog(of: kept)))
        try Data(count: ReleaseFile.capacity).write(to: URL(filePath: files.releaseLog))
        _ = try Vault.open(home.vault)
        #expect(try Data(contentsOf: URL(filePath: files.releaseLog)) == Data("entries".utf8))
        #expect(try FileManager.default.contentsOfDirectory(atPath: files.replaced).isEmpty)
    }

    @Test("A log that a killed process has left is written back before the first write; a clean close leaves none")
    func foundLog() throws {
        let (home, copy) = (try TemporaryDirectory(), try TemporaryDirectory())
        let vault = try Vault.new(home.vault)
        try vault.writers.credentials.save("shop.example", "ann", "present")
        try Tampering.copyFiles(from: home.vaultPath, to: copy)
        let directory = VaultDirectory(path: copy.vaultPath)
        let database = try VaultDatabase(path: copy.database, in: directory, isNew: false)
        #expect(database.log?.hasFailed == true)
        try database.write { _ throws(VaultError) in }
        #expect(database.log?.hasFailed == false)
        database.close()
        #expect(try VaultDatabase(path: copy.database, in: directory, isNew: false).log?.hasFailed == false)
    }
}

/// Runs in a process that records syncs, and in which writes can be made to fail.
@Suite(.enabled(if: getenv("AUTOFILL_DURABILITY_CHILD") != nil, "runs within another test"), .serialized)
struct DurabilityChild {
    private let library: FaultLibrary
    private let home: TemporaryDirectory

    init() throws {
        library = try #require(FaultLibrary())
        home = try TemporaryDirectory()
    }

    /// A vault with a release that is not in its file yet, and a backup of it from before.
    private func make(in home: TemporaryDirectory) throws -> (vault: Vault, backup: String) {
        let vault = try Vault.new(home.vault)
        let backup = home.path + "/former.sqlite"
        _ = try vault.backups.make(at: backup, at: .at())
        try vault.writers.credentials.save("shop.example", "ann", "present")
        try vault.releases.append(.test(1))
        try vault.releases.commit()
        return (vault, backup)
    }

    @Test("The entry of each directory that is made for a vault is synced")
    func directories() throws {
        let synced = try library.synced { _ = try Vault.new(home.vault) }
        #expect(synced.contains(home.path), "of data")
        #expect(synced.contains(home.path + "/data"), "of data/autofilld")
        #expect(synced.contains(home.vaultPath), "of the files")
    }

    /// A vault with a release that is stored and not synced, its sync, and where in the log it is.
    private func makeStoring() throws -> (vault: Vault, sync: BackgroundSync, stored: Range<Int>) {
        let vault = try Vault.new(home.vault)
        for number in 0..<30 { try vault.writers.credentials.save("d\(number).example", "ann", "early") }
        let log = URL(filePath: home.database + "-wal")
        let start = try Data(contentsOf: log).count
        try vault.releases.append(.test(1))
        let sync = try #require(try vault.releases.store(at: .at()))
        let end = try Data(contentsOf: log).count
        try #require(start < end)
        return (vault, sync, start..<end)
    }

    @Test("After a sync that failed no save is answered before the log is written back: a power cut loses none")
    func failedSync() throws {
        let (vault, sync, stored) = try makeStoring()
        let failed = library.withFullDisk(at: 1, staysFull: false, error: EIO) { try sync.run() }
        #expect(failed.error as? VaultError == .failed(code: EIO) && vault.hasFailedLog)
        // As long as nothing can be written back nothing is answered, and no later sync makes it good.
        let refused = library.withFullDisk(at: 1, staysFull: true, error: EIO) {
            try vault.writers.credentials.save("refused.example", "ann", "none")
        }
        #expect(refused.struck && refused.error is VaultError && vault.hasFailedLog)
        #expect(try vault.password("refused.example", "ann") == nil)
        #expect(failure { try sync.run() } == .failed(code: EIO))
        // SQLite's descriptor reports the error once.
        let saved = library.withFullDisk(at: 1, staysFull: false, error: EIO) {
            try vault.writers.credentials.save("late.example", "ann", "late")
        }
        #expect(saved.struck && saved.error == nil && !vault.hasFailedLog)
        #expect(failure { try sync.run() } == nil)

        try expectAll(afterLosing: stored)
    }

    /// What the kernel did not write is not in the log after a power cut, where that still has its place.
    private func expectAll(afterLosing range: Range<Int>) throws {
        let cut = try TemporaryDirectory()
        try Tampering.copyFiles(from: home.vaultPath, to: cut)
        var left = try Data(contentsOf: URL(filePath: cut.database + "-wal"))
        if left.count >= range.upperBound { left.replaceSubrange(range, with: Data(count: range.count)) }
        try left.write(to: URL(filePath: cut.database + "-wal"))
        let after = try Vault.unlocked(cut.vault, seed: 3)
        #expect(try after.password("late.example", "ann") == "late" && after.password("d7.example", "ann") == "early")
        #expect(try after.readers.releases.page(before: nil, limit: 9).elements.map(\.number) == [1])
    }

    @Test("A sync that fails in a save, too: what was stored before it is written back before the next one is answered")
    func failedCommit() throws {
        let (vault, sync, stored) = try makeStoring()
        // A save makes more or fewer writes before its sync.
        for round in 0..<200 where !vault.hasFailedLog {
            _ = library.withFullDisk(at: 1 + round % 20, staysFull: false, error: EIO) {
                try vault.writers.credentials.save("round\(round).example", "ann", "none")
            }
        }
        #expect(vault.hasFailedLog)
        #expect(failure { try sync.run() } == .failed(code: EIO))
        try vault.writers.credentials.save("late.example", "ann", "late")
        #expect(!vault.hasFailedLog)
        try expectAll(afterLosing: stored)
    }

    @Test("A restore that fails where the vault's file was removed leaves no copies of its releases")
    func copiedReleases() throws {
        try expectReverted { home, _ in
            try Data(repeating: 7, count: 100).write(to: URL(filePath: home.vaultPath + "/vault.releases"))
        } isAsBefore: { _, _ in
            true
        }
    }

    @Test("A restore that fails where the vault's file was removed leaves its log beside its releases")
    func strayLog() throws {
        try expectReverted { home, log in
            try #require(!log.isEmpty)
            try log.write(to: URL(filePath: home.database + "-wal"))
        } isAsBefore: { home, log in
            (try? Data(contentsOf: URL(filePath: home.database + "-wal"))) == log
        }
    }

    /// Restores with a disk that is full at each step in turn, where the vault's file was removed: what is left of it has to be where
    /// it was.
    ///
    /// - Parameters:
    ///   - leave: leaves something of the vault; it gets the log as it was while the vault was open.
    ///   - isAsBefore: whether that is as it was, besides the releases, which have to be there.
    private func expectReverted(
        _ leave: (TemporaryDirectory, Data) throws -> Void, isAsBefore: (TemporaryDirectory, Data) -> Bool
    ) throws {
        var failures = 0
        for number in 1... {
            let home = try TemporaryDirectory()
            let (former, backup) = try make(in: home)
            let outcome = try former.restoreAttempt(from: backup, secret: .key()).derive()
            let log = try Data(contentsOf: URL(filePath: home.database + "-wal"))
            former.close()
            try FileManager.default.removeItem(atPath: home.database)
            try leave(home, log)
            let vault = try Vault.open(home.vault, seed: 3)
            let (struck, error) = library.withFullDisk(at: number, staysFull: false) {
                _ = try vault.restore(from: backup, with: outcome)
            }
            guard struck else { break }
            guard error != nil else { continue }
            failures += 1
            let names = (try? FileManager.default.contentsOfDirectory(atPath: home.vaultPath + "/replaced")) ?? []
            let isThere = FileManager.default.fileExists(atPath: home.vaultPath + "/vault.releases")
            #expect(names.isEmpty && isThere && isAsBefore(home, log), "\(number): \(names)")
        }
        #expect(failures > 5)
    }

    @Test("Of a backup that the disk cannot read it is not stated that a former secret does not open it")
    func unreadBackup() throws {
        let (vault, backup) = try make(in: home)
        let former = try vault.slots.change(1, to: .test(.key(9), seed: 2), at: .at(1))
        #expect(former.opens(backup) == true)
        for stays in [false, true] {
            let found = (1...40).map { place in
                var opens: Bool?
                _ = library.withReadError(at: place, stays: stays) { opens = former.opens(backup) }
                return opens
            }
            #expect(!found.contains(false) && found.contains(true) && found.contains(nil) == stays)
        }
    }

    @Test("A vault that no path names any more is kept durably, with its releases")
    func lostVault() throws {
        let (vault, backup) = try make(in: home)
        try FileManager.default.removeItem(atPath: home.vaultPath)
        let outcome = try vault.restoreAttempt(from: backup, secret: .key()).derive()
        var kept = ""
        let synced = try library.synced {
            kept = try #require(try vault.restore(from: backup, with: outcome).replaced)
        }
        #expect(FileManager.default.fileExists(atPath: kept + ".releases"))
        #expect(synced.isSuperset(of: [kept, kept + ".releases", home.vaultPath + "/replaced", home.vaultPath]))
    }

    @Test("A restore that finds the disk full leaves no draft, also where the vault's folder was lost")
    func noDraft() throws {
        var failures = 0
        for number in 1... {
            let home = try TemporaryDirectory()
            let vault = try Vault.new(home.vault)
            let backup = home.path + "/former.sqlite"
            _ = try vault.backups.make(at: backup, at: .at())
            let outcome = try vault.restoreAttempt(from: backup, secret: .key()).derive()
            try FileManager.default.removeItem(atPath: home.vaultPath)
            let (struck, error) = library.withFullDisk(at: number, staysFull: true) {
                _ = try vault.restore(from: backup, with: outcome)
            }
            guard struck else { break }
            guard error != nil else { continue }
            failures += 1
            let names = (try? FileManager.default.contentsOfDirectory(atPath: home.vaultPath)) ?? []
            #expect(!names.contains { $0.hasPrefix("vault.sqlite.new") }, "\(number): \(names)")
        }
        #expect(failures > 10)
    }

    @Test(
        "A releases file that cannot be opened stays where a restore fails before it is done",
        arguments: [true, false])
    func releasesThatCannotBeOpened(_ hasVault: Bool) throws {
        var failures = 0
        for number in 1... {
            let home = try TemporaryDirectory()
            let (former, backup) = try make(in: home)
            let outcome = try former.restoreAttempt(from: backup, secret: .key()).derive()
            former.close()
            let (path, elsewhere) = (home.vaultPath + "/vault.releases", home.path + "/elsewhere")
            try FileManager.default.moveItem(atPath: path, toPath: elsewhere)
            try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: elsewhere)
            if !hasVault { try FileManager.default.removeItem(atPath: home.database) }
            let vault = try Vault.open(home.vault, seed: 3)
            let (struck, error) = library.withFullDisk(at: number, staysFull: false) {
                _ = try vault.restore(from: backup, with: outcome)
            }
            guard struck else { break }
            guard error != nil else { continue }
            failures += 1
            let target = try? FileManager.default.destinationOfSymbolicLink(atPath: path)
            #expect(target == elsewhere, "\(number)")
        }
        #expect(failures > 5)
    }
}
