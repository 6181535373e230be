// SPDX-License-Identifier: Apache-2.0
import AutofillService
import Credentials
import Foundation
import Settings
import Support
import TestGround
import Testing

@testable import CredentialStorage

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
        try connection.hello("org.autofilld.autofillctl")
    }

    private func save(_ user: String, _ password: String = "secret") throws -> String {
        let saved = try connection.call(
            "credential.save",
            ["service": Examples.shop, "user": user, "password": password, "proof": Examples.proof])
        return try #require(saved.text("credential"))
    }

    private func password(_ user: String, proof: [String: Any] = Examples.proof) throws -> String? {
        try connection.call("credential.get", ["service": Examples.shop, "user": user, "proof": proof])
            .text("password")
    }

    private func pass(days: Int64) throws {
        daemon.clock.advance(milliseconds: days * Self.day)
        try daemon.begin { await $0.keepUp() }
        try daemon.settle()
    }

    private func backups() throws -> [[String: Any]] {
        let listed = try connection.call("admin.backup.list", ["proof": Examples.proof])
        return try #require(listed.result?["backups"] as? [[String: Any]])
    }

    @Test("A backup is made, listed and restored; the vault that was there is kept")
    func backup() throws {
        _ = try save("ann", "former")
        let path = folder + "/backup.sqlite"
        let made = try connection.call("admin.vault.backup", ["path": path, "proof": Examples.proof])
        #expect(made.result?["records"] as? Int == 1 && made.text("path") == path)
        #expect(
            try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int == 0o600)
        let again = try connection.call("admin.vault.backup", ["path": path, "proof": Examples.proof])
        #expect(again.reasons == ["backup-not-made"])
        #expect(try backups().map { $0["path"] as? String } == [path])
        _ = try save("ann", "present")
        let secret = Examples.proof
        let wrong: [String: Any] = ["key": ["base64": Data(repeating: 3, count: 32).base64EncodedString()]]
        let refused = try connection.call(
            "admin.vault.restore", ["path": path, "secret": wrong, "proof": Examples.proof])
        #expect(refused.reasons == ["backup-not-usable"])
        #expect(try password("ann") == "present")
        let restored = try connection.call(
            "admin.vault.restore", ["path": path, "secret": secret, "proof": Examples.proof])
        let replaced = try #require(restored.text("replaced"))
        #expect(FileManager.default.fileExists(atPath: replaced))
        #expect(try password("ann") == "former")
        let back = try connection.call(
            "admin.vault.restore", ["path": replaced, "secret": secret, "proof": Examples.proof])
        #expect(back.error == nil)
        #expect(try password("ann") == "present")
    }

    @Test("A restore leaves no vault open behind a session that was locked meanwhile")
    func lockedSession() throws {
        _ = try save("ann", "former")
        let path = folder + "/backup.sqlite"
        _ = try connection.call("admin.vault.backup", ["path": path, "proof": Examples.proof])
        for isLocked in [false, true] {
            let daemon = try TestService(location: .directory(folder + "/new \(isLocked)"), isCreated: false)
            let person = daemon.connect()
            try person.hello("org.autofilld.autofillctl")
            if isLocked { try daemon.follow(.locked, keyFile: nil) }
            #expect(try person.call("admin.vault.restore", ["path": path, "secret": Examples.proof]).error == nil)
            #expect(try person.call("status").text("vault") == (isLocked ? "locked" : "unlocked"))
        }
    }

    @Test("A symbolic link is neither written through nor restored from, and a missing folder is told")
    func paths() throws {
        let link = folder + "/link"
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: folder + "/target")
        let through = try connection.call("admin.vault.backup", ["path": link, "proof": Examples.proof])
        #expect(through.reasons == ["backup-not-made"])
        #expect(!FileManager.default.fileExists(atPath: folder + "/target"))
        let nowhere = try connection.call("admin.vault.backup", ["path": folder + "/no/b", "proof": Examples.proof])
        #expect(nowhere.reasons == ["backup-not-made"])
        _ = try connection.call("admin.vault.backup", ["path": folder + "/target", "proof": Examples.proof])
        let from = try connection.call(
            "admin.vault.restore", ["path": link, "secret": Examples.proof, "proof": Examples.proof])
        #expect(from.reasons == ["backup-not-usable"])
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder).sorted() == ["data", "link", "target"])
    }

    @Test("A restore that fails leaves a vault that can be opened, and a file that cannot be one is told as what it is")
    func failedRestore() throws {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        _ = try save("ann")
        let path = folder + "/backup.sqlite"
        _ = try connection.call("admin.vault.backup", ["path": path, "proof": Examples.proof])
        // A file where the folder for replaced vaults would be.
        try Data().write(to: URL(fileURLWithPath: folder + "/data/replaced"))
        let restored = try connection.call(
            "admin.vault.restore", ["path": path, "secret": Examples.proof, "proof": Examples.proof])
        #expect(restored.error != nil)
        func state() throws -> String? {
            daemon.clock.advance(milliseconds: 1000)
            return try connection.call("status").text("vault")
        }
        #expect(try state() == "locked")
        #expect(try connection.call("vault.unlock", Examples.proof).error == nil)
        #expect(try password("ann") == "secret")

        #expect(try connection.call("admin.vault.lock").error == nil)
        let database = folder + "/data/vault.sqlite"
        try FileManager.default.removeItem(atPath: database)
        try Data("no vault".utf8).write(to: URL(fileURLWithPath: database))
        #expect(try connection.call("vault.unlock", Examples.proof).error != nil)
        #expect(try state() == "vault-unreadable")
        try FileManager.default.removeItem(atPath: database)
        try FileManager.default.moveItem(atPath: path, toPath: database)
        #expect(try state() == "locked")
    }

    @Test("Rekey shuts the old secret out, names the backups that it still opens, and loses nothing")
    func rekey() throws {
        _ = try save("ann")
        let path = folder + "/backup.sqlite"
        _ = try connection.call("admin.vault.backup", ["path": path, "proof": Examples.proof])
        let key = ["base64": Data(repeating: 8, count: 32).base64EncodedString()]
        let rekeyed = try connection.call(
            "admin.vault.rekey", ["key": key, "recoveryKey": true, "proof": Examples.proof])
        #expect(rekeyed.result?["backups"] as? [String] == [path])
        let recovery = try #require(rekeyed.text("recoveryKey"))
        #expect(try password("ann") == nil)
        daemon.clock.advance(milliseconds: 10_000)
        #expect(try password("ann", proof: ["key": key]) == "secret")
        #expect(try password("ann", proof: ["recoveryKey": recovery]) == "secret")
        let checked = try connection.call("admin.vault.check", ["proof": ["key": key]])
        #expect(checked.result?["sound"] as? Bool == true)
    }

    @Test("A drawn recovery key never comes to be all that opens the vault: were its answer lost, nothing would")
    func drawnKey() throws {
        let rekeyed = try connection.call("admin.vault.rekey", ["recoveryKey": true, "proof": Examples.proof])
        #expect(rekeyed.problem == "parameter-invalid")
        let changed = try connection.call(
            "admin.slot.change", ["slot": 1, "recoveryKey": true, "proof": Examples.proof])
        #expect(changed.reasons == ["slot-last"])
        let key = ["base64": Data(repeating: 8, count: 32).base64EncodedString()]
        #expect(try connection.call("admin.slot.add", ["key": key, "proof": Examples.proof]).error == nil)
        let second = try connection.call(
            "admin.slot.change", ["slot": 1, "recoveryKey": true, "proof": Examples.proof])
        #expect(second.text("recoveryKey") != nil)
    }

    @Test("What is wrong with the vault is told at the unlock, in the journal and in the status, until it is mended")
    func unsound() throws {
        let gone = try save("gone")
        _ = try save("ann")
        try daemon.close()
        let vault = try Vault(at: .directory(folder + "/data"), program: "tests")
        let id = try #require(ObjectID(gone))
        try vault.whileOpen { database throws(VaultError) in
            try database.write { statements throws(VaultError) in
                try statements.records.delete.run(.bytes(id.stored))
            }
        }
        vault.close(at: daemon.clock.now)
        let other = try TestService(location: .directory(folder + "/data"), isCreated: false)
        let connection = other.connect()
        try connection.hello("org.autofilld.autofillctl")
        let opened = try connection.call("vault.unlock", Examples.proof)
        #expect(opened.result?["changed"] as? Bool == true && opened.result?["findings"] as? Int == 1)
        #expect(other.journal.contains { $0.message == "[AutoFill] Fault: the vault is not sound: missing \(gone)" })
        func problems() throws -> [String] { try connection.call("status").result?["problems"] as? [String] ?? [] }
        #expect(try problems().contains { $0.hasPrefix("The vault is not sound (findings: 1).") })
        let repaired = try connection.call("admin.vault.check", ["repair": true, "proof": Examples.proof])
        #expect(repaired.result?["quarantined"] as? Int == 1)
        #expect(try !problems().contains { $0.hasPrefix("The vault is not sound") })
    }

    @Test("A restore that came without proof, when there was no vault yet, does not replace one that is there by then")
    func parkedRestore() throws {
        let path = folder + "/backup.sqlite"
        _ = try connection.call("admin.vault.backup", ["path": path, "proof": Examples.proof])
        let empty = try TestService(location: .directory(folder + "/new"), isCreated: false)
        let (owner, other) = (empty.connect(), empty.connect())
        for connection in [owner, other] { try connection.hello("org.autofilld.autofillctl") }
        let key = TestFiles.key.base64EncodedString()
        let line =
            #"{"jsonrpc":"2.0","id":7,"method":"admin.vault.restore","params":{"path":"\#(path)","#
            + #""secret":{"key":{"base64":"\#(key)"}}}}"#
        let work = try #require(try empty.begin(line, owner))
        #expect(try other.exchange(line) == [])
        let restored = try TestAnswer(try #require(try empty.finish(work, owner).first))
        #expect(restored.error == nil)
        let refused = try TestAnswer(try #require(other.received().first))
        #expect(refused.reasons == ["proof-required"])
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
        _ = try connection.call("credential.delete", ["credential": gone, "proof": Examples.proof])
        try pass(days: 29)
        let deleted = try connection.call("credential.list", ["deleted": true, "proof": Examples.proof])
        #expect((deleted.result?["credentials"] as? [[String: Any]])?.first?["credential"] as? String == gone)
        try pass(days: 1)
        try pass(days: 1)
        #expect(try backups().count == 2 && backups().allSatisfy { $0["automatic"] as? Bool == true })
        let restored = try connection.call("admin.credential.restore", ["credential": gone, "proof": Examples.proof])
        #expect(restored.reasons == ["credential-not-found"])
        let again = try connection.call("admin.credential.restore", ["credential": kept, "proof": Examples.proof])
        #expect(again.result?["changed"] as? Bool == false)
        #expect(daemon.journal.allSatisfy { !$0.message.contains("Fault") })
    }

    @Test("A deleted credential is got back, unless another has taken its place")
    func undelete() throws {
        let first = try save("ann", "one")
        _ = try connection.call("credential.delete", ["credential": first, "proof": Examples.proof])
        #expect(try password("ann") == nil)
        let restored = try connection.call("admin.credential.restore", ["credential": first, "proof": Examples.proof])
        #expect(restored.result?["changed"] as? Bool == true)
        #expect(try password("ann") == "one")
        _ = try connection.call("credential.delete", ["credential": first, "proof": Examples.proof])
        _ = try save("ann", "two")
        let taken = try connection.call("admin.credential.restore", ["credential": first, "proof": Examples.proof])
        #expect(taken.reasons == ["credential-taken"])
    }

    @Test("An automatic backup that cannot be made is told to the journal, and tried again")
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
