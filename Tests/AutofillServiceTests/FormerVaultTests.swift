// SPDX-License-Identifier: Apache-2.0
import AutofillProtocol
import AutofillService
import CredentialStorage
import Credentials
import Foundation
import SecretMemory
import Support
import Testing

@Suite("A vault of the first format in the service")
struct FormerVaultTests {
    private static let fixtures = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "../CredentialStorageTests/Fixtures")
    private static let proof = Proof.key(SecretBytes(copying: repeatElement(7, count: 32), count: 32))

    private func daemon(in home: String) throws -> TestService {
        try FileManager.default.createDirectory(atPath: home, withIntermediateDirectories: true)
        for (ending, name) in [("sqlite", "vault.sqlite"), ("releases", "vault.releases")] {
            try FileManager.default.copyItem(
                at: Self.fixtures.appending(path: "vault-1-last.\(ending)"), to: URL(filePath: home + "/" + name))
        }
        return try TestService(location: .directory(home), isCreated: false)
    }

    /// attacks.md, the vault, 15
    @Test(
        "Unlocked, it is backed up and brought over before it is changed, and the answer and the journal name the backup"
    )
    func migrated() throws {
        let folder = try TestFiles.folder()
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let home = folder + "/data"
        let daemon = try daemon(in: home)
        let user = daemon.connect()
        try user.greet(as: "org.autofilld.autofillctl")
        let unlocked = try user.answer(to: VaultUnlock(proof: Self.proof))
        let backup = home + "/backups/vault-1.sqlite"
        #expect(unlocked.changed && unlocked.backup == backup)
        try user.answer(
            to: CredentialSave(
                service: .shop, user: "new", password: SecretBytes(utf8: "s3cret"), proof: Self.proof))
        // Unlocked once more it is of the present format.
        try user.answer(to: VaultLock())
        #expect(try user.answer(to: VaultUnlock(proof: Self.proof)).backup == nil)
        #expect(daemon.journal.contains { $0.message.contains("from format 1 to 2") && $0.message.contains(backup) })
        #expect(FileManager.default.fileExists(atPath: backup))
        #expect(try user.answer(to: VaultCheck(proof: Self.proof)).isIntact)
        try user.answer(to: VaultRestore(path: backup, secret: Self.proof, proof: Self.proof))
        func users(_ service: ServiceIdentifier) throws -> [String] {
            try user.answer(to: CredentialList(service: service, proof: Self.proof)).credentials.map(\.user)
        }
        #expect(try users(ServiceIdentifier(domain: "plain.example")) == ["ann"] && users(.shop).isEmpty)
    }

    @Test("The answer of the unlock that has it brought over precedes the event that this unlock has caused")
    func order() throws {
        let folder = try TestFiles.folder()
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let daemon = try daemon(in: folder + "/data")
        let (user, other) = (daemon.connect(), daemon.connect())
        for connection in [user, other] {
            try connection.greet(as: "org.autofilld.autofillctl")
            try connection.answer(to: EventSubscribe())
        }
        let key = Data(repeating: 7, count: 32).base64EncodedString()
        let unlock = try ServiceConnection.line(
            "vault.unlock", ["proof": ["type": "key", "key": ["base64": key]]], id: 77)
        let lines = try user.exchange(unlock)
        try #require(lines.count == 2)
        #expect(lines[0].contains(#""id":77"#) && lines[0].contains(#""backup":"#))
        #expect(lines[1].contains(#""type":"vaultUnlocked""#) && lines[1].contains(#""causedBy":77"#))
        #expect(try other.events().map(\.content) == [.vaultUnlocked])
        try other.answer(to: VaultLock())
        #expect(try user.events().map(\.content) == [.vaultLocked(cause: "request")])
    }

    @Test(
        "The unlock that has it brought over is cancelled no more: it answers its result, at once where the service stops",
        arguments: [false, true])
    func done(stops: Bool) throws {
        let folder = try TestFiles.folder()
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let daemon = try daemon(in: folder + "/data")
        let user = daemon.connect()
        try user.greet(as: "org.autofilld.autofillctl")
        let (unlock, work) = try daemon.begin(VaultUnlock(proof: Self.proof), user)
        let migration = try #require(work)
        if stops {
            try daemon.onEngine { [client = user.client] engine in
                engine.beginStopping()
                engine.stopWaiting(client)
            }
            #expect(try unlock.answer().changed)
            try daemon.finish(migration)
        } else {
            try user.cancel(unlock)
            #expect(unlock.waits)
            try daemon.finish(migration)
            let unlocked = try unlock.answer()
            #expect(unlocked.changed && unlocked.backup == folder + "/data/backups/vault-1.sqlite")
        }
        #expect(try user.answer(to: Status()).vault == "unlocked")
    }

    /// attacks.md, the vault, 14
    @Test("A passphrase that is tried first, or has nothing to be seen in it, is refused with why, and what would do")
    func passphrases() throws {
        let user = try TestService(isCreated: false).connect()
        try user.greet(as: "org.autofilld.autofillctl")
        for (passphrase, why) in [("Password123", "common word"), ("        ", "blanks")] {
            let create = VaultCreate(secrets: [.passphrase(SecretBytes(utf8: passphrase))])
            let reason = try #require(try user.refusal(of: create)?.reasons.first)
            #expect(reason.reason == "passphrase-too-common")
            #expect(reason.fix.contains(why) && reason.fix.contains("four unrelated words"))
        }
    }
}
