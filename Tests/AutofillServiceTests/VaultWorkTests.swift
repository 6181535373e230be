// SPDX-License-Identifier: Apache-2.0
import AutofillProtocol
import AutofillService
import Credentials
import Foundation
import SecretMemory
import Settings
import Support
import TestGround
import Testing

@testable import CredentialStorage
@testable import VaultFormat

@Suite("Work on the whole vault")
struct VaultWorkTests {
    private let directory: TemporaryDirectory
    private var folder: String { directory.path }
    private let daemon: TestService
    private let connection: ServiceConnection
    private static let day: Int64 = 86_400_000

    init() throws {
        directory = try TemporaryDirectory()
        var settings = DaemonSettings()
        settings.automaticBackups = 2
        daemon = try TestService(location: .directory(directory.path + "/data"), settings: settings)
        connection = daemon.connect()
        try connection.greet(as: "org.autofilld.autofillctl")
    }

    private func save(_ user: String, _ password: String = "secret") throws -> String {
        let call = CredentialSave(service: .shop, user: user, password: SecretBytes(utf8: password), proof: .test)
        return try connection.answer(to: call).credential
    }

    private func password(_ user: String, proof: Proof = .test) throws -> String? {
        try? connection.answer(to: CredentialGet(service: .shop, user: user, proof: proof)).password.text
    }

    private func pass(days: Int64) throws {
        daemon.clock.advance(milliseconds: days * Self.day)
        try daemon.begin { await $0.keepUp() }
        try daemon.settle()
    }

    private func backups() throws -> [BackupEntry] { try connection.answer(to: BackupList(proof: .test)).backups }

    @Test("A backup is made, listed and restored; the vault that was there is kept")
    func backup() throws {
        _ = try save("ann", "former")
        let path = folder + "/backup.sqlite"
        let made = try connection.answer(to: VaultBackup(path: path, proof: .test))
        #expect(made.records == 1 && made.path == path)
        #expect(
            try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int == 0o600)
        let again = try connection.reasons(for: VaultBackup(path: path, proof: .test))
        #expect(again == ["backup-not-made"])
        #expect(try backups().map(\.path) == [path])
        _ = try save("ann", "present")
        let refused = try connection.reasons(for: VaultRestore(path: path, secret: .wrong, proof: .test))
        #expect(refused == ["backup-not-usable"])
        #expect(try password("ann") == "present")
        let restored = try connection.answer(to: VaultRestore(path: path, secret: .test, proof: .test))
        let replaced = try #require(restored.replaced)
        #expect(FileManager.default.fileExists(atPath: replaced))
        #expect(try password("ann") == "former")
        let back = try connection.reasons(for: VaultRestore(path: replaced, secret: .test, proof: .test))
        #expect(back.isEmpty)
        #expect(try password("ann") == "present")
    }

    @Test("A restore leaves no vault open behind a session that was locked meanwhile")
    func lockedSession() throws {
        _ = try save("ann", "former")
        let path = folder + "/backup.sqlite"
        try connection.answer(to: VaultBackup(path: path, proof: .test))
        for isLocked in [false, true] {
            let daemon = try TestService(location: .directory(folder + "/new \(isLocked)"), isCreated: false)
            let user = daemon.connect()
            try user.greet(as: "org.autofilld.autofillctl")
            if isLocked { try daemon.follow(.locked, keyFile: nil) }
            try user.answer(to: VaultRestore(path: path, secret: .test, proof: nil))
            #expect(try user.answer(to: Status()).vault == (isLocked ? "locked" : "unlocked"))
        }
    }

    @Test("A symbolic link is neither written through nor restored from, and a missing folder is reported")
    func paths() throws {
        let link = folder + "/link"
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: folder + "/target")
        let through = try connection.reasons(for: VaultBackup(path: link, proof: .test))
        #expect(through == ["backup-not-made"])
        #expect(!FileManager.default.fileExists(atPath: folder + "/target"))
        let nowhere = try connection.reasons(for: VaultBackup(path: folder + "/no/b", proof: .test))
        #expect(nowhere == ["backup-not-made"])
        try connection.answer(to: VaultBackup(path: folder + "/target", proof: .test))
        let from = try connection.reasons(for: VaultRestore(path: link, secret: .test, proof: .test))
        #expect(from == ["backup-not-usable"])
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder).sorted() == ["data", "link", "target"])
    }

    @Test(
        "A restore that fails leaves a vault that can be opened, and a file that cannot be one is reported as what it is"
    )
    func failedRestore() throws {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        _ = try save("ann")
        let path = folder + "/backup.sqlite"
        try connection.answer(to: VaultBackup(path: path, proof: .test))
        // A file where the folder for replaced vaults would be.
        try Data().write(to: URL(fileURLWithPath: folder + "/data/replaced"))
        let restored = try connection.reasons(for: VaultRestore(path: path, secret: .test, proof: .test))
        #expect(!restored.isEmpty)
        func state() throws -> String? {
            daemon.clock.advance(milliseconds: 1000)
            return try connection.answer(to: Status()).vault
        }
        #expect(try state() == "locked")
        try connection.answer(to: VaultUnlock(proof: .test))
        #expect(try password("ann") == "secret")

        try connection.answer(to: VaultLock())
        let database = folder + "/data/vault.sqlite"
        try FileManager.default.removeItem(atPath: database)
        try Data("no vault".utf8).write(to: URL(fileURLWithPath: database))
        #expect(try connection.refusal(of: VaultUnlock(proof: .test)) != nil)
        #expect(try state() == "vault-unreadable")
        try FileManager.default.removeItem(atPath: database)
        try FileManager.default.moveItem(atPath: path, toPath: database)
        #expect(try state() == "locked")
    }

    @Test("Rekey shuts the old secret out, names the backups that it still opens, and loses nothing")
    func rekey() throws {
        _ = try save("ann")
        let path = folder + "/backup.sqlite"
        try connection.answer(to: VaultBackup(path: path, proof: .test))
        let key = SecretBytes(utf8: String(repeating: "8", count: Limits.keyBytes))
        let rekeyed = try connection.answer(to: VaultRekey(secrets: [.key(key), .recoveryKey], proof: .test))
        #expect(rekeyed.backups == [path])
        let recovery = try #require(rekeyed.recoveryKey)
        #expect(try password("ann") == nil)
        daemon.clock.advance(milliseconds: 10_000)
        #expect(try password("ann", proof: .key(key)) == "secret")
        #expect(try password("ann", proof: .recoveryKey(recovery)) == "secret")
        let checked = try connection.answer(to: VaultCheck(proof: .key(key)))
        #expect(checked.isIntact)
    }

    @Test("A drawn recovery key is never all that opens the vault: were its answer lost, nothing would")
    func drawnKey() throws {
        let rekeyed = try connection.reasons(for: VaultRekey(secrets: [.recoveryKey], proof: .test))
        #expect(rekeyed == ["parameter-invalid"])
        let changed = try connection.reasons(for: SlotChange(slot: 1, secret: .recoveryKey, proof: .test))
        #expect(changed == ["slot-last"])
        let key = SecretBytes(utf8: String(repeating: "8", count: Limits.keyBytes))
        try connection.answer(to: SlotAdd(secret: .key(key), proof: .test))
        let second = try connection.answer(to: SlotChange(slot: 1, secret: .recoveryKey, proof: .test))
        #expect(second.recoveryKey != nil)
    }

    @Test(
        "What is wrong with the vault is reported at the unlock, in the journal and in the status, until it is repaired"
    )
    func corrupt() throws {
        let gone = try save("gone")
        _ = try save("ann")
        try daemon.close()
        let vault = try Vault(at: .directory(folder + "/data"), program: "tests")
        let id = try #require(ObjectID(gone))
        try vault.file.whileOpen { database throws(VaultError) in
            try database.write { statements throws(VaultError) in
                try statements.records.delete.run(.bytes(id.stored))
            }
        }
        vault.close()
        let other = try TestService(location: .directory(folder + "/data"), isCreated: false)
        let connection = other.connect()
        try connection.greet(as: "org.autofilld.autofillctl")
        let opened = try connection.answer(to: VaultUnlock(proof: .test))
        #expect(opened.changed && opened.findings == 1)
        #expect(other.journal.contains { $0.message == "[AutoFill] Fault: the vault is corrupt: missing \(gone)" })
        func problems() throws -> [String] { try connection.answer(to: Status()).daemon?.problems ?? [] }
        #expect(try problems().contains { $0.hasPrefix("The vault is corrupt (findings: 1).") })
        let repaired = try connection.answer(to: VaultCheck(repairs: true, proof: .test))
        #expect(repaired.quarantined == 1)
        #expect(try !problems().contains { $0.hasPrefix("The vault is corrupt") })
    }

    @Test("A restore that came without proof, when there was no vault yet, does not replace one that is there by then")
    func parkedRestore() throws {
        let path = folder + "/backup.sqlite"
        try connection.answer(to: VaultBackup(path: path, proof: .test))
        let empty = try TestService(location: .directory(folder + "/new"), isCreated: false)
        let (owner, other) = (empty.connect(), empty.connect())
        for connection in [owner, other] { try connection.greet(as: "org.autofilld.autofillctl") }
        let restore = VaultRestore(path: path, secret: .test, proof: nil)
        let (first, work) = try empty.begin(restore, owner)
        let second = try other.send(restore)
        #expect(second.waits)
        try empty.finish(try #require(work))
        #expect(try first.reasons() == [])
        #expect(try second.reasons() == ["proof-required"])
    }

    @Test("A lock stops work too that waited behind what it has stopped, and follows on that")
    func lockBehindWaitingWork() throws {
        let (check, first) = try daemon.begin(VaultCheck(proof: .test), connection)
        // Of the frozen vault: the proof of what comes behind it is checked.
        let held = try #require(first)
        let work = try #require(try daemon.step(held))
        let (second, third) = (try daemon.user(), try daemon.user())
        let behind = try second.send(VaultCheck(proof: .test))
        let lock = try third.send(VaultLock())
        #expect(behind.waits && lock.waits)
        try daemon.finish(work)
        #expect(try check.reasons() == ["cancelled"])
        #expect(try behind.reasons() == ["cancelled"])
        #expect(try lock.answer().changed)
        #expect(try connection.answer(to: Status()).vault == "locked")
    }

    @Test("Once a day a backup is made, the oldest go, and what was deleted long enough ago goes for good")
    func chores() throws {
        let kept = try save("kept")
        let gone = try save("gone")
        try pass(days: 0)
        #expect(try backups().count == 1)
        daemon.clock.advance(milliseconds: 2 * 3_600_000)
        try pass(days: 0)
        #expect(try backups().count == 1)
        try connection.answer(to: CredentialDelete(credential: gone, proof: .test))
        try pass(days: 29)
        let deleted = try connection.answer(to: CredentialList(deleted: true, proof: .test))
        #expect(deleted.credentials.first?.credential == gone)
        try pass(days: 1)
        try pass(days: 1)
        #expect(try backups().count == 2 && backups().allSatisfy(\.isAutomatic))
        let restored = try connection.reasons(for: CredentialRestore(credential: gone, proof: .test))
        #expect(restored == ["credential-not-found"])
        let again = try connection.answer(to: CredentialRestore(credential: kept, proof: .test))
        #expect(!again.changed)
        #expect(daemon.journal.allSatisfy { !$0.message.contains("Fault") })
    }

    @Test("The hourly upkeep begins the log that it has emptied: the event loop waits for no sync of the log's header")
    func begunLog() throws {
        _ = try save("ann")
        try pass(days: 0)
        daemon.clock.advance(milliseconds: 2 * 3_600_000)
        try pass(days: 0)
        let log = try FileManager.default.attributesOfItem(atPath: folder + "/data/vault.sqlite-wal")
        // A header, and a page with its own.
        #expect(log[.size] as? Int == 32 + 24 + 4096)
        #expect(try connection.answer(to: VaultCheck(proof: .test)).isIntact)
    }

    @Test("A deleted credential is got back, unless another has taken its place")
    func undelete() throws {
        let first = try save("ann", "one")
        try connection.answer(to: CredentialDelete(credential: first, proof: .test))
        #expect(try password("ann") == nil)
        let restored = try connection.answer(to: CredentialRestore(credential: first, proof: .test))
        #expect(restored.changed)
        #expect(try password("ann") == "one")
        try connection.answer(to: CredentialDelete(credential: first, proof: .test))
        _ = try save("ann", "two")
        let taken = try connection.reasons(for: CredentialRestore(credential: first, proof: .test))
        #expect(taken == ["credential-taken"])
    }

    @Test("An automatic backup that cannot be made is reported to the journal, and tried again")
    func failingChore() throws {
        // A file where the folder of backups should be.
        try Data().write(to: URL(filePath: folder + "/data/backups"))
        try pass(days: 0)
        #expect(daemon.journal.contains { $0.message.hasPrefix("[AutoFill] Fault: the vault could not be backed up") })
        try FileManager.default.removeItem(atPath: folder + "/data/backups")
        try pass(days: 1)
        #expect(try backups().count == 1)
    }
}
