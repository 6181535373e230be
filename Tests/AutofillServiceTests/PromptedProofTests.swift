// SPDX-License-Identifier: Apache-2.0
import AutofillProtocol
import AutofillService
import CredentialStorage
import Credentials
import Foundation
import Prompting
import SecretMemory
import Support
import Testing

@Suite("A prompt as proof, and for the passphrase")
struct PromptedProofTests {
    private static var prompt: [String: Any] { ["prompt": true] }
    private static var allow: [String: Any] {
        ["bundleID": "org.example.Shop", "service": Examples.shop, "proof": prompt]
    }

    @Test("The person's yes to a prompt that says what would be done is proof for that one request")
    func approved() throws {
        let daemon = try TestService(consent: .person)
        let app = daemon.connect()
        try app.hello("org.autofilld.autofillctl")
        #expect(try app.send("admin.grant.allow", Self.allow).isEmpty)
        let approval = try #require(daemon.approvals.first)
        let text = approval.prompt.description
        #expect(text.contains("let the app org.example.Shop fill what is saved for shop.example.com"))
        #expect(text.contains("Program: /home/user/app"))
        try daemon.answer(approval, isApproved: true)
        #expect(try app.answers().map { $0.result?["changed"] as? Bool } == [true])
        #expect(daemon.approvals.isEmpty)
        #expect(try app.send("admin.grant.list", ["proof": Self.prompt], id: 2).isEmpty)
        #expect(daemon.approvals.count == 1)
    }

    @Test("A prompt says whose it is that a request names by an id, and asks nothing about what is not there")
    func namedByID() throws {
        let daemon = try TestService(consent: .person)
        let person = daemon.connect()
        try person.hello("org.autofilld.autofillctl")
        let saved = try person.call(
            "credential.save",
            ["service": Examples.shop, "user": "ann", "password": "s3cret", "proof": Examples.proof])
        let credential = try #require(saved.text("credential"))
        let allow = Self.allow.merging(["proof": Examples.proof]) { $1 }
        let grants = try person.call("admin.grant.allow", allow).result?["grants"] as? [[String: Any]]
        let grant = try #require(grants?.first?["grant"] as? String)
        let app = daemon.connect()
        try app.hello()
        let asked: [(method: String, id: [String: Any], words: String)] = [
            ("autofill.fill", ["credential": credential], "read the password saved for ann at shop.example.com"),
            ("credential.delete", ["credential": credential], "delete the password saved for ann at shop.example.com"),
            (
                "admin.grant.revoke", ["grant": grant],
                "take back that the app org.example.Shop may fill what is saved for shop.example.com"
            ),
        ]
        for (number, request) in asked.enumerated() {
            _ = try app.send(request.method, request.id.merging(["proof": Self.prompt]) { $1 }, id: number + 1)
            let approval = try #require(daemon.approvals.first)
            #expect(approval.prompt.description.contains(request.words))
            try daemon.answer(approval, isApproved: true)
            #expect(try app.answers().map { $0.error == nil } == [true])
        }
        let gone = try app.call("credential.delete", ["credential": credential, "proof": Self.prompt])
        #expect(gone.reasons == ["credential-not-found"])
        #expect(daemon.approvals.isEmpty)
    }

    @Test("A terminal is given to prompts until its connection ends, whatever waits there")
    func terminal() throws {
        let daemon = try TestService(consent: .person)
        let person = daemon.connect()
        try person.hello("org.autofilld.autofillctl")
        let terminal: [String: Any] = ["terminal": "/dev/pts/7", "type": "xterm", "proof": Examples.proof]
        #expect(try person.call("admin.prompter.attach", terminal).result?["changed"] as? Bool == true)
        try daemon.connect().disconnect()
        func path() -> String? { daemon.engine.assumeIsolated { $0.promptPlace.terminal?.path } }
        #expect(path() == "/dev/pts/7")
        try person.disconnect()
        #expect(path() == nil)
    }

    @Test("A no is a no, and holds for this program's other requests to administer")
    func declined() throws {
        let daemon = try TestService(consent: .person)
        let app = daemon.connect()
        try app.hello("org.autofilld.autofillctl")
        _ = try app.send("admin.grant.allow", Self.allow)
        try daemon.answer(try #require(daemon.approvals.first), isApproved: false)
        #expect(try app.answers().map(\.reasons) == [["consent-denied"]])
        #expect(try app.call("admin.grant.list", ["proof": Self.prompt]).reasons == ["consent-denied"])
        let grants = try app.call("admin.grant.list", ["proof": Examples.proof])
        #expect((grants.result?["grants"] as? [Any])?.isEmpty == true)
        daemon.clock.advance(milliseconds: Int64(Limits.denialMilliseconds))
        #expect(try app.send("admin.grant.list", ["proof": Self.prompt], id: 2).isEmpty)
    }

    @Test("Where nobody can be asked a prompt is no proof")
    func nobody() throws {
        let app = try TestService().connect()
        try app.hello("org.autofilld.autofillctl")
        #expect(try app.call("admin.grant.allow", Self.allow).reasons == ["proof-required"])
        let daemon = try TestService(consent: .person)
        let other = daemon.connect()
        try other.hello("org.autofilld.autofillctl")
        _ = try other.send("admin.grant.allow", Self.allow)
        try daemon.answer(try #require(daemon.approvals.first), isApproved: nil)
        #expect(try other.answers().map(\.reasons) == [["proof-required"]])
    }

    @Test("Requests wait for the vault to be opened, whoever opens it, and are then performed")
    func unlockedByAnother() throws {
        let daemon = try TestService(isCreated: false, consent: .person)
        let app = daemon.connect(.systemProgram)
        try app.hello()
        let key: [String: Any] = ["key": ["base64": TestFiles.key.base64EncodedString()]]
        try app.call("admin.vault.create", key.merging(["passphrase": "correct horse"]) { $1 })
        try app.call("credential.save", ["service": Examples.shop, "user": "ann", "password": "s3cret"])
        try app.call("admin.vault.lock")
        #expect(try app.send("credential.get", ["service": Examples.shop], id: 2).isEmpty)
        #expect(try app.send("vault.unlock", [:], id: 3).isEmpty)
        #expect(daemon.asksPassphrase)
        let forbidden = try app.call("credential.get", ["service": Examples.shop, "interaction": "forbid"])
        #expect(forbidden.reasons == ["vault-locked"])
        #expect(forbidden.events == ["vaultUnlocked"])
        #expect(try app.call("vault.unlock", ["interaction": "forbid"]).reasons == ["vault-locked"])
        let person = daemon.connect()
        try person.hello("org.autofilld.autofillctl")
        #expect(try person.call("vault.unlock", key).result?["changed"] as? Bool == true)
        #expect(!daemon.asksPassphrase)
        let answers = try app.answers()
        #expect(answers.compactMap { $0.text("password") } == ["s3cret"])
        #expect(answers.compactMap { $0.result?["changed"] as? Bool } == [true])
    }

    @Test("A vault that no passphrase opens is not waited for")
    func keyOnly() throws {
        let daemon = try TestService(consent: .person)
        let app = daemon.connect()
        try app.hello()
        try app.call("admin.vault.lock")
        #expect(try app.call("vault.unlock").reasons == ["vault-locked"])
        #expect(!daemon.asksPassphrase)
    }

    @Test("The passphrase of the prompt opens it for all who wait; a wrong one does not, and a no holds for a while")
    func passphrase() throws {
        let daemon = try TestService(isCreated: false, consent: .person)
        let app = daemon.connect(.systemProgram)
        try app.hello()
        try app.call("admin.vault.create", ["passphrase": "correct horse"])
        try app.call("admin.vault.lock")
        #expect(try app.send("vault.unlock", [:], id: 2).isEmpty)
        #expect(daemon.asksPassphrase)
        try daemon.givePassphrase(.passphrase(SecretBytes(utf8: "wrong horse")))
        #expect(try app.answers().isEmpty)
        #expect(daemon.asksPassphrase)
        // So soon after a wrong one it is not tried yet.
        try daemon.givePassphrase(.passphrase(SecretBytes(utf8: "correct horse")))
        #expect(try app.answers().isEmpty)
        daemon.clock.advance(milliseconds: 5000)
        try daemon.settle()
        #expect(try app.answers().map { $0.result?["changed"] as? Bool } == [true])
        #expect(!daemon.asksPassphrase)

        try app.call("admin.vault.lock")
        #expect(try app.send("vault.unlock", [:], id: 3).isEmpty)
        try daemon.givePassphrase(.declined)
        #expect(try app.answers().map(\.reasons) == [["vault-locked"]])
        let held = try app.call("vault.unlock")
        #expect(held.reasons == ["vault-locked"])
        #expect(held.retryAfter == Limits.denialMilliseconds)
        #expect(!daemon.asksPassphrase)
        let other = daemon.connect(.process(path: "/home/user/other", inode: 8))
        try other.hello()
        #expect(try other.send("vault.unlock", [:], id: 4).isEmpty, "the no was to another program")
        #expect(daemon.asksPassphrase)
    }
}
