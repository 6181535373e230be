// SPDX-License-Identifier: Apache-2.0
import AutofillProtocol
import AutofillService
import CredentialStorage
import Credentials
import Foundation
import SecretMemory
import Support
import Testing

/// The fix of `vault-replaced` is applied, and loses nothing. (Point 7 of what attackers found.)
@Suite("A vault whose file is missing while it is open")
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
        let user = daemon.connect()
        try user.greet(as: "org.autofilld.autofillctl")
        return user
    }

    private func users(_ user: ServiceConnection) throws -> [String] {
        try user.answer(to: CredentialList(proof: .test)).credentials.map(\.user).sorted()
    }

    @Test("A folder that others could write to is in the journal, once, and in the status")
    func writableFolder() throws {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try TestService(location: .directory(folder + "/data")).close()
        chmod(folder + "/data", 0o777)
        let daemon = try TestService(location: .directory(folder + "/data"), isCreated: false)
        let user = try connect(daemon)
        try user.answer(to: VaultUnlock(proof: .test))
        let warning = "Other users could write to \(folder)/data until autofilld closed it to them"
        #expect(daemon.journal.map(\.message).count { $0.contains(warning) } == 1)
        #expect(try user.answer(to: Status()).daemon?.problems.contains { $0.hasPrefix(warning) } == true)
    }

    @Test("A backup and its restore, as the refusal's fix states, return all that was saved", arguments: Loss.allCases)
    func advice(_ loss: Loss) throws {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let daemon = try TestService(location: .directory(folder + "/data"))
        let user = try connect(daemon)
        func save(_ name: String) -> CredentialSave {
            CredentialSave(service: .shop, user: name, password: SecretBytes(utf8: "s3cret"), proof: .test)
        }
        for name in ["ann", "bob"] { try user.answer(to: save(name)) }
        try lose(loss)
        let refused = try #require(try user.refusal(of: save("eve")))
        #expect(refused.reasons.map(\.reason) == ["vault-replaced"])
        let fix = try #require(refused.reasons.first).fix
        #expect(fix.contains("autofillctl vault backup") && fix.contains("autofillctl vault restore"))
        let backup = folder + "/backup"
        try user.answer(to: VaultBackup(path: backup, proof: .test))
        try user.answer(to: VaultRestore(path: backup, secret: .test, proof: .test))
        try user.answer(to: save("eve"))
        #expect(try users(user) == ["ann", "bob", "eve"])
        #expect(try user.answer(to: VaultCheck(proof: .test)).isIntact)
        try daemon.close()
        let again = try TestService(location: .directory(folder + "/data"), isCreated: false)
        let later = try connect(again)
        try later.answer(to: VaultUnlock(proof: .test))
        #expect(try users(later) == ["ann", "bob", "eve"])
    }
}
