// SPDX-License-Identifier: Apache-2.0
import AutofillProtocol
import Foundation
import SecretMemory
import Support
import Testing

@Suite("How a request names a credential")
struct CredentialNameTests {
    private static let ann = CredentialName.saved(for: .shop, user: "ann")
    private static let uri = SecretBytes(utf8: "otpauth://totp/ann?secret=GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ")

    private func connect(_ daemon: TestService, _ app: String = "org.example.Shop") throws -> ServiceConnection {
        let connection = daemon.connect()
        try connection.greet(as: app)
        return connection
    }

    @Test("By its id, or by service and user, in each method that is about one")
    func names() throws {
        let daemon = try TestService()
        let (shop, user) = (try connect(daemon), try daemon.user())
        let saved = try shop.answer(to: CredentialSave("ann", "one"))
        try shop.answer(to: CredentialSave("bob", "other"))
        for (number, name) in [CredentialName.id(saved.credential), Self.ann].enumerated() {
            #expect(try shop.answer(to: CredentialGet(name)).password.text == "one")
            let label = CredentialChanges(label: "number \(number)")
            #expect(try shop.answer(to: CredentialUpdate(name, changes: label)).changed)
            #expect(try shop.answer(to: CodeSet(name, uri: Self.uri)).credential == saved.credential)
            #expect(try shop.answer(to: CodeGet(name)).user == "ann")
            #expect(try user.answer(to: CodeExport(name, proof: .test)).uri.text.contains("secret="))
            #expect(try shop.answer(to: CodeDelete(name)).changed)
            #expect(try shop.answer(to: CredentialDelete(name)).changed)
            #expect(try !shop.answer(to: CredentialDelete(credential: saved.credential)).changed)
            try user.answer(to: CredentialRestore(credential: saved.credential, proof: .test))
            try shop.answer(to: CredentialSave("ann", "one"))
        }
        let form = FormDescription(.signIn)
        let byID = try shop.answer(to: AutofillFill(credential: saved.credential, form: form))
        let byUser = try shop.answer(to: AutofillFill(service: .shop, user: "ann", form: form))
        #expect(byID.user == "ann" && byUser.user == "ann" && byUser.credential == byID.credential)
        #expect(try shop.reasons(for: AutofillFill(service: .shop, user: "carol")) == ["credential-not-found"])
    }

    @Test("What credential.list answers can be sent back")
    func sentBack() throws {
        let shop = try connect(try TestService())
        try shop.answer(to: CredentialSave("ann", "one"))
        let listed = try #require(try shop.answer(to: CredentialList(service: .shop)).credentials.first)
        #expect(try shop.answer(to: CredentialGet(.id(listed.credential))).password.text == "one")
        let name = CredentialName.saved(for: listed.service, user: listed.user)
        #expect(try shop.answer(to: CredentialGet(name)).password.text == "one")
        let list = try shop.call("credential.list", ["service": Examples.shop])
        let first = try #require((list.result?["credentials"] as? [[String: Any]])?.first)
        let service = try #require((first["services"] as? [[String: Any]])?.first)
        #expect(service["match"] as? String == "site")
        let again = try shop.call("credential.get", ["service": service, "user": first["user"] ?? ""])
        #expect(again.text("password") == "one" && again.result?["warnings"] == nil)
    }

    @Test("In no other way: what is missing, and what excludes another, is named")
    func refused() throws {
        let shop = try connect(try TestService())
        for (method, parameters, reason, member) in [
            ("credential.get", [:], "parameter-missing", "credential"),
            ("credential.get", ["credential": "crd_1", "service": Examples.shop], "parameter-invalid", "credential"),
            ("credential.get", ["credential": "crd_1", "user": "ann"], "parameter-invalid", "credential"),
            ("credential.update", ["service": Examples.shop], "parameter-missing", "user"),
            ("credential.delete", ["service": Examples.shop], "parameter-missing", "user"),
            ("code.delete", ["user": "ann"], "parameter-missing", "credential"),
            ("autofill.fill", ["credential": "crd_1", "user": "ann"], "parameter-invalid", "offer"),
            ("autofill.fill", ["user": "ann"], "parameter-missing", "offer"),
        ] as [(String, [String: Any], String, String)] {
            let answer = try shop.call(method, parameters)
            #expect(answer.reasons == [reason] && answer.member == member, "\(method) \(parameters)")
        }
    }

    @Test("An app without a grant learns by no user name whether that is saved", arguments: ["ann", "carol"])
    func unknown(_ userName: String) throws {
        let daemon = try TestService()
        let (shop, user) = (try connect(daemon), try daemon.user())
        try user.answer(to: CredentialSave("ann", "one", proof: .test))
        let name = CredentialName.saved(for: .shop, user: userName)
        #expect(try shop.reasons(for: CredentialGet(name)) == ["grant-missing"])
        #expect(try shop.reasons(for: CredentialUpdate(name)) == ["grant-missing"])
        #expect(try shop.reasons(for: CredentialDelete(name)) == ["grant-missing"])
        #expect(try shop.reasons(for: CodeDelete(name)) == ["grant-missing"])
        #expect(try shop.reasons(for: AutofillFill(service: .shop, user: userName)) == ["grant-missing"])
    }

    @Test("An id of another app's site is as unknown as none")
    func others() throws {
        let daemon = try TestService()
        let (shop, bank) = (try connect(daemon), try connect(daemon, "org.example.Bank"))
        let id = try shop.answer(to: CredentialSave("ann", "one")).credential
        for name in [CredentialName.id(id), .id("crd_00000000000000000000000000000000")] {
            #expect(try bank.reasons(for: CredentialGet(name)) == ["credential-not-found"])
            #expect(try bank.reasons(for: CredentialUpdate(name, newUser: "eve")) == ["credential-not-found"])
            #expect(try bank.reasons(for: CodeGet(name)) == ["credential-not-found"])
        }
    }
}
