// SPDX-License-Identifier: Apache-2.0
import AutofillService
import CredentialStorage
import Foundation
import Support
import Testing

@Suite("A vault of the first format in the service")
struct FormerVaultTests {
    private static let fixtures = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "../CredentialStorageTests/Fixtures")
    private static var proof: [String: Any] {
        ["key": ["base64": Data(repeating: 7, count: 32).base64EncodedString()]]
    }

    /// attacks.md, the vault, 15
    @Test("Unlocked, it is backed up and brought over before it is changed, and the journal names the backup")
    func migrated() throws {
        let folder = try TestFiles.folder()
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let home = folder + "/data"
        try FileManager.default.createDirectory(atPath: home, withIntermediateDirectories: true)
        for (ending, name) in [("sqlite", "vault.sqlite"), ("releases", "vault.releases")] {
            try FileManager.default.copyItem(
                at: Self.fixtures.appending(path: "vault-1-last.\(ending)"), to: URL(filePath: home + "/" + name))
        }
        let daemon = try TestService(location: .directory(home), isCreated: false)
        let person = daemon.connect()
        try person.hello("org.autofilld.autofillctl")
        #expect(try person.call("vault.unlock", Self.proof).result?["changed"] as? Bool == true)
        // It comes while the vault is brought over, and waits for that.
        let saved = try person.call(
            "credential.save",
            ["service": Examples.shop, "user": "new", "password": "s3cret", "proof": Self.proof])
        #expect(saved.error == nil)
        let backup = home + "/backups/vault-1.sqlite"
        #expect(daemon.journal.contains { $0.message.contains("from format 1 to 2") && $0.message.contains(backup) })
        #expect(FileManager.default.fileExists(atPath: backup))
        #expect(try person.call("admin.vault.check", ["proof": Self.proof]).result?["sound"] as? Bool == true)
        let restored = try person.call(
            "admin.vault.restore", ["path": backup, "secret": Self.proof, "proof": Self.proof])
        #expect(restored.error == nil)
        func users(_ service: [String: Any]) throws -> [String] {
            let listed = try person.call("credential.list", ["service": service, "proof": Self.proof])
            let credentials = listed.result?["credentials"] as? [[String: Any]]
            return credentials?.compactMap { $0["user"] as? String } ?? []
        }
        #expect(try users(["type": "domain", "value": "plain.example"]) == ["ann"] && users(Examples.shop).isEmpty)
    }

    /// attacks.md, the vault, 14
    @Test("A passphrase that is tried first, or has nothing to be seen in it, is refused with why, and what would do")
    func passphrases() throws {
        let person = try TestService(isCreated: false).connect()
        try person.hello("org.autofilld.autofillctl")
        for (passphrase, why) in [("Password123", "common word"), ("        ", "blanks")] {
            let refused = try person.call("admin.vault.create", ["passphrase": passphrase])
            #expect(refused.reasons == ["passphrase-too-common"])
            #expect(refused.fixes.first?.contains(why) == true && refused.fixes.first?.contains("four words") == true)
        }
    }
}
