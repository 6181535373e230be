// SPDX-License-Identifier: Apache-2.0
import CredentialStorage
import Foundation
import Support
import Testing

/// What the fix of `vault-replaced` says is done, and loses nothing. (Point 7 of what attackers found.)
@Suite("A vault whose file is gone while it is open")
struct LostFileTests {
    enum Loss: CaseIterable {
        case removed, exchanged
    }

    private let folder: String
    private var file: String { folder + "/data/vault.sqlite" }

    init() throws { folder = try TestFiles.folder() }

    private func lose(_ loss: Loss) throws {
        switch loss {
        case .removed: try FileManager.default.removeItem(atPath: file)
        case .exchanged:
            try FileManager.default.removeItem(atPath: file)
            let other = try TestService(location: .directory(folder + "/other"))
            try other.close()
            try FileManager.default.moveItem(atPath: folder + "/other/vault.sqlite", toPath: file)
        }
    }

    private func connect(_ daemon: TestService) throws -> ServiceConnection {
        let person = daemon.connect()
        try person.hello("org.autofilld.autofillctl")
        return person
    }

    private func users(_ person: ServiceConnection) throws -> [String] {
        let listed = try person.call("credential.list", ["proof": Examples.proof])
        let credentials = try #require(listed.result?["credentials"] as? [[String: Any]])
        return credentials.compactMap { $0["user"] as? String }.sorted()
    }

    @Test("A backup and its restore, as the refusal says, bring all back that was saved", arguments: Loss.allCases)
    func advice(_ loss: Loss) throws {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let daemon = try TestService(location: .directory(folder + "/data"))
        let person = try connect(daemon)
        func save(_ user: String) throws -> TestAnswer {
            try person.call(
                "credential.save",
                ["service": Examples.shop, "user": user, "password": "s3cret", "proof": Examples.proof])
        }
        for user in ["ann", "bob"] { #expect(try save(user).error == nil) }
        try lose(loss)
        let refused = try save("eve")
        #expect(refused.reasons == ["vault-replaced"])
        let fix = try #require(refused.fixes.first)
        #expect(fix.contains("autofillctl vault backup") && fix.contains("autofillctl vault restore"))
        let backup = folder + "/backup"
        #expect(try person.call("admin.vault.backup", ["path": backup, "proof": Examples.proof]).error == nil)
        #expect(
            try person.call("admin.vault.restore", ["path": backup, "secret": Examples.proof, "proof": Examples.proof])
                .error
                == nil)
        #expect(try save("eve").error == nil)
        #expect(try users(person) == ["ann", "bob", "eve"])
        #expect(try person.call("admin.vault.check", ["proof": Examples.proof]).result?["sound"] as? Bool == true)
        try daemon.close()
        let again = try TestService(location: .directory(folder + "/data"), isCreated: false)
        let later = try connect(again)
        try later.call("vault.unlock", Examples.proof)
        #expect(try users(later) == ["ann", "bob", "eve"])
    }
}
