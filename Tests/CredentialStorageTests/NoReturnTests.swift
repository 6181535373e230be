// SPDX-License-Identifier: Apache-2.0
import CSQLite
import Credentials
import Foundation
import SecretMemory
import TestGround
import Testing

@testable import CredentialStorage
@testable import VaultFormat
@testable import VaultRecovery

/// What replaces the vault as a whole is done, or it is not: no error comes after it.
@Suite("A change of the whole vault that meets a fault", .serialized)
struct NoReturnTests {
    @Test(
        "With however little space, a vault is made and open, or there is none; and one is restored, or the former is there",
        .enabled(if: canMount, "mounting a tmpfs needs root"))
    func anySpace() throws {
        let elsewhere = try TemporaryDirectory()
        let backup = elsewhere.path + "/b.sqlite"
        let former = try Vault.new(elsewhere.vault)
        try former.writers.credentials.save("shop.example", "ann", "former")
        _ = try former.backups.make(at: backup, at: .at())
        var (created, restored, attempts) = (0, 0, 0)
        for kilobytes in stride(from: 64, through: 1200, by: 16) {
            let directory = try TemporaryDirectory()
            try #require(mount("tmpfs", directory.path, "tmpfs", 0, "size=\(kilobytes)k") == 0)
            defer { umount2(directory.path, Int32(MNT_DETACH)) }
            attempts += 1
            let vault = try Vault.open(directory.vault)
            if let refusal = failure({ try vault.create([.test()], at: .at()) }) {
                #expect(refusal == .storageFull && vault.state == .missing, "\(kilobytes)")
                let left = (try? FileManager.default.contentsOfDirectory(atPath: directory.vaultPath)) ?? []
                #expect(Set(left).isSubset(of: ["vault.lock"]), "\(kilobytes)")
                continue
            }
            created += 1
            #expect(vault.state == .unlocked)
            let isSaved = failure { try vault.writers.credentials.save("shop.example", "ann", "present") } == nil
            let outcome = try vault.restoreAttempt(from: backup, secret: .key()).derive()
            let refusal = failure { _ = try vault.restore(from: backup, with: outcome) }
            if refusal == nil {
                restored += 1
                #expect(vault.state == .unlocked, "\(kilobytes)")
                #expect(try vault.password("shop.example", "ann") == "former")
            } else {
                #expect(refusal == .storageFull, "\(kilobytes)")
                if vault.state == .locked { try vault.unlock(.key()) }
                #expect(try vault.password("shop.example", "ann") == (isSaved ? "present" : nil), "\(kilobytes)")
            }
        }
        // There were all ends of both.
        #expect(created > 0 && created < attempts && restored > 0 && restored < created)
    }

    @Test(
        "A restore without a former vault makes a vault that is open, or none, with however little space",
        .enabled(if: canMount, "mounting a tmpfs needs root"))
    func anySpaceForNone() throws {
        let elsewhere = try TemporaryDirectory()
        let backup = elsewhere.path + "/b.sqlite"
        _ = try Vault.new(elsewhere.vault).backups.make(at: backup, at: .at())
        for kilobytes in stride(from: 64, through: 640, by: 16) {
            let directory = try TemporaryDirectory()
            try #require(mount("tmpfs", directory.path, "tmpfs", 0, "size=\(kilobytes)k") == 0)
            defer { umount2(directory.path, Int32(MNT_DETACH)) }
            let vault = try Vault.open(directory.vault)
            let outcome = try vault.restoreAttempt(from: backup, secret: .key()).derive()
            let refusal = failure { _ = try vault.restore(from: backup, with: outcome) }
            #expect(refusal == nil || refusal == .storageFull, "\(kilobytes)")
            #expect(vault.state == (refusal == nil ? .unlocked : .missing), "\(kilobytes)")
            #expect(FileManager.default.fileExists(atPath: directory.database) == (refusal == nil), "\(kilobytes)")
        }
    }

    @Test("A rekey needs no new file once it is done: the vault is open, whatever is at the path of vault.releases")
    func rekey() throws {
        let directory = try TemporaryDirectory()
        let vault = try Vault.new(directory.vault)
        try vault.writers.credentials.save("shop.example", "ann", "p")
        let log = directory.vaultPath + "/vault.releases"
        try FileManager.default.removeItem(atPath: log)
        try FileManager.default.createDirectory(atPath: log, withIntermediateDirectories: false)
        #expect(failure { try vault.rekey([.test(.key(40))], at: .at()) } == nil)
        #expect(vault.state == .unlocked)
        #expect(try vault.password("shop.example", "ann") == "p")
    }

    @Test("A file that is to replace the vault and is none is removed, and the vault is there with its releases")
    func exchange() throws {
        let directory = try TemporaryDirectory()
        let vault = try Vault.new(directory.vault)
        try vault.writers.credentials.save("shop.example", "ann", "present")
        try vault.releases.append(.test(1))
        try vault.releases.commit()
        let home = VaultDirectory(path: directory.vaultPath)
        for hasVault in [true, false] {
            if !hasVault {
                vault.close()
                for path in [home.database, home.releaseLog] { try FileManager.default.removeItem(atPath: path) }
            }
            vault.store.unlockedVault = nil
            try Data(repeating: 0x55, count: 8192).write(to: URL(fileURLWithPath: home.draft))
            #expect(
                failure { _ = try BackupRestore(vault).exchange(home, withReleases: true) }
                    == .notAVault(path: home.draft))
            #expect(!FileManager.default.fileExists(atPath: home.draft))
            guard hasVault else { continue }
            #expect(!FileManager.default.fileExists(atPath: home.replaced))
            #expect(vault.state == .locked)
            try vault.unlock(.key())
            #expect(try vault.password("shop.example", "ann") == "present")
            #expect(try vault.readers.releases.page(before: nil, limit: 9).elements.map(\.number) == [1])
        }
        #expect(vault.state == .missing && !FileManager.default.fileExists(atPath: home.database))
        #expect(!FileManager.default.fileExists(atPath: home.releaseLog))
    }

    @Test("A copy of a database that another process holds is refused, not empty")
    func heldSource() throws {
        let directory = try TemporaryDirectory()
        let (path, copy) = (directory.path + "/a.sqlite", directory.path + "/b.sqlite")
        let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE
        let holder = try SQLConnection(path, at: path, flags: flags)
        try holder.run("CREATE TABLE t (a)")
        try holder.run("BEGIN EXCLUSIVE")
        let source = try SQLConnection(path, at: path, flags: flags)
        try VaultDirectory.makeEmptyFile(copy)
        #expect(failure { try source.copyPages(to: copy) } == .held(processID: nil, program: nil))
        try holder.run("COMMIT")
        #expect(failure { try source.copyPages(to: copy) } == nil)
    }
}
