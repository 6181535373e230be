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

/// Issue 13, rule 9: vaults of the first format are brought to the present one, backup first.
@Suite("A vault of the first format", .serialized)
struct FormerFormatTests {
    @Test("It opens as it is, returns what it returned then, and accepts no change; nothing is written by that")
    func readOnly() throws {
        let directory = try TemporaryDirectory()
        try FormerFormat.copy(to: directory)
        let content = try Tampering.content(of: directory.database)
        let vault = try Vault.open(directory.vault, seed: 8)
        #expect(try vault.unlock(.key()).findings.isEmpty)
        #expect(vault.isOfOlderFormat)
        #expect(try Described.json(FormerFormat.described()) == vault.described(openedBy: 2))
        #expect(try vault.check().isIntact)
        #expect(failure { try vault.writers.credentials.save("new.example", "ann", "p") } == .rekeying)
        #expect(failure { try vault.writers.offers.insert(Offer.test(9)) } == .rekeying)
        #expect(failure { _ = try vault.slots.add(.test(.key(9)), at: .at()) } == .rekeying)
        #expect(failure { _ = try vault.rekey([.test(.key(9))], at: .at()) } == .rekeying)
        // Nothing of it was written: the entries are where they were.
        let copy = try TemporaryDirectory()
        try Tampering.copyFiles(from: directory.vaultPath, to: copy)
        #expect(try Tampering.content(of: copy.database) == content)
        // What is released is on record all the same.
        try vault.releases.append(.test(50))
        try vault.releases.commit()
        try vault.releases.sync(at: .at(51))
        vault.close()
        let again = try Vault.unlocked(directory.vault)
        #expect(again.isOfOlderFormat && again.counts?.releases == 8)
        #expect(try again.check().isIntact)
    }

    @Test("It is backed up and brought to the present format with every record, and opens by each of its secrets then")
    func migrated() throws {
        let directory = try TemporaryDirectory()
        try FormerFormat.copy(to: directory)
        let vault = try Vault.open(directory.vault, seed: 8)
        try vault.unlock(.key())
        let old = try vault.store.unlocked.keys
        let report = try #require(try vault.migrate(at: .at(100)))
        #expect(report.formerFormat == 1 && report.records == FormerFormat.records)
        #expect(report.backup == directory.vaultPath + "/backups/vault-1.sqlite")
        #expect(vault.state == .unlocked && !vault.isOfOlderFormat)
        #expect(try vault.migrate(at: .at(100)) == nil)
        #expect(try vault.hasAll() && vault.check().isIntact)
        let known = try #require(try vault.backups.list().first)
        #expect(known.path == report.backup && known.made == .at(100) && known.isAutomatic)
        // Nothing that is sealed now opens with a sub-key of then.
        try vault.store.read { records throws(VaultError) in
            var entries = 0
            try records.statements.records.rows.each([]) { row throws(VaultError) in
                let (former, present) = try (
                    VaultInspection.entry(row, keys: old), VaultInspection.entry(row, keys: records.unlocked.keys)
                )
                #expect(former == nil && present?.entry.sealing ?? 0 > 0)
                entries += 1
                return true
            }
            #expect(entries == FormerFormat.records + 1)
        }
        vault.close()
        #expect(try Tampering.integer("SELECT count(*) FROM grdb_migrations", on: directory.database) == 2)
        let recovery = try RecoveryKey(typed: SecretBytes(utf8: FormerFormat.recoveryKey))
        for secret in [FormerFormat.passphrase, .key(), .recovery(recovery)] {
            let again = try Vault.unlocked(directory.vault, secret: secret)
            #expect(try again.hasAll() && !again.isOfOlderFormat)
            again.close()
        }
        let again = try Vault.unlocked(directory.vault)
        try again.writers.credentials.save("new.example", "ann", "new", at: .at(103))
        #expect(try again.password("new.example", "ann") == "new" && again.check().isIntact)
    }

    @Test("The backup that was made before can be restored, and is brought to the present format on the way")
    func backupRestored() throws {
        let directory = try TemporaryDirectory()
        try FormerFormat.copy(to: directory)
        let vault = try Vault.unlocked(directory.vault)
        let backup = try #require(try vault.migrate(at: .at(100))).backup
        try vault.writers.credentials.save("later.example", "ann", "later", at: .at(101))
        let outcome = try vault.restoreAttempt(from: backup, secret: FormerFormat.passphrase).derive()
        #expect(try vault.restore(from: backup, with: outcome).records == FormerFormat.records)
        #expect(vault.state == .unlocked && !vault.isOfOlderFormat)
        #expect(try vault.hasAll() && vault.check().isIntact)
        #expect(try vault.password("later.example", "ann") == nil)
    }

    @Test("Killed at any moment it is as it was or done, with all that was in it, and is completed the next time")
    func killed() throws {
        let directory = try TemporaryDirectory()
        try FormerFormat.copy(to: directory)
        var snapshots: [TemporaryDirectory] = []
        let vault = try Vault(
            at: directory.vault, program: "tests",
            entropy: WatchedEntropy(seed: 8) {
                // The files as a process that is killed now leaves them.
                guard let copy = try? TemporaryDirectory() else { return }
                try? Tampering.copyFiles(from: directory.vaultPath, to: copy)
                snapshots.append(copy)
            })
        try vault.unlock(.key())
        _ = try vault.migrate(at: .at(100))
        var former = 0
        for (number, snapshot) in snapshots.enumerated() {
            let again = try Vault.unlocked(snapshot.vault, seed: UInt64(1000 + number))
            if again.isOfOlderFormat { former += 1 }
            #expect(try again.hasAll(), "\(number)")
            _ = try again.migrate(at: .at(101))
            #expect(try !again.isOfOlderFormat && again.hasAll() && again.check().isIntact, "\(number)")
        }
        #expect(former > 20 && former < snapshots.count)
    }

    @Test("Killed once it is done, before its backup has its name, it keeps and records the backup at the next unlock")
    func killedAfterwards() throws {
        let directory = try TemporaryDirectory()
        try FormerFormat.copy(to: directory)
        let vault = try Vault.unlocked(directory.vault)
        try vault.releases.sync(at: nil, uses: .max)
        let home = try #require(try vault.file.openDatabase.directory)
        try VaultDirectory.make(home.backups)
        _ = try vault.copy(to: home.freshBackupBeforeMigration, VaultProgress())
        let old = try vault.store.unlocked
        let root = try #require(old.manifest).root
        let keys = VaultKeys(vaultKey: old.keys.vaultKey)
        try vault.store.migrate(
            vault.file.openDatabase, root, from: old.keys, to: keys, of: FormerFormat.records, VaultProgress())
        let copy = try TemporaryDirectory()
        try Tampering.copyFiles(from: directory.vaultPath, to: copy)
        let drafts = try FileManager.default.contentsOfDirectory(atPath: copy.vaultPath + "/backups")
        #expect(drafts == ["vault-1.migrating.sqlite"])

        let again = try Vault.unlocked(copy.vault)
        let kept = try again.backups.list()
        #expect(kept.map(\.path) == [copy.vaultPath + "/backups/vault-1.sqlite"])
        let backup = try #require(kept.first)
        #expect(backup.isAutomatic && backup.made != nil && !again.isOfOlderFormat)
        #expect(try again.hasAll())
        let checked = try again.check()
        #expect(checked.isIntact, "\(checked)")
        again.lock()
        try again.unlock(.key())
        #expect(try again.backups.list() == kept)
        let outcome = try again.restoreAttempt(from: backup.path, secret: FormerFormat.passphrase).derive()
        #expect(try again.restore(from: backup.path, with: outcome).records == FormerFormat.records)
    }

    @Test("A power cut that cuts off its log anywhere leaves the one or the other")
    func cut() throws {
        let directory = try TemporaryDirectory()
        try FormerFormat.copy(to: directory)
        let vault = try Vault.unlocked(directory.vault)
        try vault.releases.sync(at: .at(), uses: .max)
        try vault.file.openDatabase.emptyLog()
        let old = try vault.store.unlocked
        let root = try #require(old.manifest).root
        let keys = VaultKeys(vaultKey: old.keys.vaultKey)
        try vault.store.migrate(
            vault.file.openDatabase, root, from: old.keys, to: keys, of: FormerFormat.records, VaultProgress())
        let log = try Data(contentsOf: URL(filePath: directory.database + "-wal"))
        var outcomes: Set<Bool> = []
        for length in stride(from: 0, through: log.count, by: 4096 + 24) + [log.count - 1, log.count] {
            let copy = try TemporaryDirectory()
            try Tampering.copyFiles(from: directory.vaultPath, to: copy)
            try log.prefix(length).write(to: URL(filePath: copy.database + "-wal"))
            let again = try Vault.unlocked(copy.vault)
            outcomes.insert(again.isOfOlderFormat)
            #expect(again.isOfOlderFormat == (length < log.count))
            #expect(try again.hasAll(), "\(length)")
        }
        #expect(outcomes.count == 2)
    }

    @Test(
        "Without space for it the vault can be read, reports why it cannot be changed, and is migrated when there is space",
        .enabled(if: canMount, "mounting a tmpfs needs root"))
    func fullDisk() throws {
        let directory = try TemporaryDirectory()
        try #require(mount("tmpfs", directory.path, "tmpfs", 0, "size=640k") == 0)
        defer { umount2(directory.path, Int32(MNT_DETACH)) }
        try FormerFormat.copy(to: directory)
        let ballast = directory.path + "/ballast"
        try Data(count: 200 << 10).write(to: URL(fileURLWithPath: ballast))
        let vault = try Vault.unlocked(directory.vault)
        #expect(failure { _ = try vault.migrate(at: .at(100)) } == .storageFull)
        #expect(try vault.isOfOlderFormat && vault.hasAll())
        #expect(failure { try vault.writers.credentials.save("new.example", "ann", "p") } == .storageFull)
        try FileManager.default.removeItem(atPath: ballast)
        try #require(mount("tmpfs", directory.path, "tmpfs", UInt(MS_REMOUNT), "size=4m") == 0)
        #expect(try vault.migrate(at: .at(101)) != nil)
        #expect(try vault.hasAll() && vault.check().isIntact)
        try vault.writers.credentials.save("new.example", "ann", "p")
    }

    @Test("However often bringing it over fails, also in another process, one backup is kept, until it is done")
    func failedAgain() throws {
        let directory = try TemporaryDirectory()
        try FormerFormat.copy(to: directory)
        for run in 0..<2 {
            let vault = try Vault.unlocked(directory.vault)
            try vault.file.openDatabase.access { connection throws(VaultError) in
                try connection.run(
                    """
                    CREATE TEMP TRIGGER refused BEFORE INSERT ON grdb_migrations
                    BEGIN SELECT RAISE(ABORT, 'refused'); END
                    """)
            }
            for attempt in 0..<Int64(3) {
                #expect(failure { _ = try vault.migrate(at: .at(100 + attempt)) } != nil)
                #expect(try vault.isOfOlderFormat && vault.hasAll() && vault.check().isIntact)
                let backups = try vault.backups.list()
                #expect(backups.count == 1 && backups[0].made == nil, "\(run) \(attempt)")
            }
            vault.close()
        }
        let vault = try Vault.unlocked(directory.vault)
        let backup = try #require(try vault.migrate(at: .at(120))).backup
        #expect(backup == directory.vaultPath + "/backups/vault-1.sqlite")
        #expect(try vault.backups.list().map(\.path) == [backup])
        #expect(try vault.hasAll() && vault.check().isIntact)
        let outcome = try vault.restoreAttempt(from: backup, secret: FormerFormat.passphrase).derive()
        #expect(try vault.restore(from: backup, with: outcome).records == FormerFormat.records)
    }

    @Test("A corrupt one is not migrated before it is repaired, and nothing of it is lost")
    func corrupt() throws {
        let directory = try TemporaryDirectory()
        try FormerFormat.copy(to: directory)
        try Tampering.execute("UPDATE record SET version = version + 1 WHERE number = 12", on: directory.database)
        let vault = try Vault.unlocked(directory.vault)
        #expect(failure { _ = try vault.migrate(at: .at(100)) } == .damaged("vault"))
        #expect(failure { try vault.writers.credentials.save("new.example", "ann", "p") } == .damaged("vault"))
        #expect(try vault.repair(at: .at(101)).after.isIntact)
        #expect(try #require(try vault.migrate(at: .at(102))).records >= FormerFormat.records - 1)
        #expect(try vault.check().isIntact)
        try vault.writers.credentials.save("new.example", "ann", "p")
    }

    @Test("Why one was not migrated is not reported of another one that is put in its place")
    func replacedAfterFailure() throws {
        let directory = try TemporaryDirectory()
        try FormerFormat.copy(to: directory)
        try Tampering.execute("UPDATE record SET version = version + 1 WHERE number = 12", on: directory.database)
        let vault = try Vault.unlocked(directory.vault)
        #expect(failure { _ = try vault.migrate(at: .at(100)) } == .damaged("vault"))
        vault.lock()
        for path in [directory.database, directory.vaultPath + "/vault.releases"] {
            try FileManager.default.removeItem(atPath: path)
        }
        try FormerFormat.copy(to: directory)
        try vault.unlock(.key(), at: .at(102))
        #expect(failure { try vault.writers.credentials.save("new.example", "ann", "p") } == .rekeying)
    }
}
