// SPDX-License-Identifier: Apache-2.0
import AutofillService
import Credentials
import EventLoop
import Foundation
import PeerIdentity
import Prompting
import Settings
import Support
import Testing

/// What an app keeps for itself, where what runs is an interpreter and any script can pass for the app.
@Suite("The own data of an interpreter's app")
struct OwnDataTests {
    private static let app = Script(path: "/usr/share/shop/app.py", hash: "aa")
    private static let evil = Script(path: "/home/user/evil.py", hash: "ee")

    private func connect(_ daemon: TestService, _ script: Script?) throws -> ServiceConnection {
        let connection = daemon.connect(.interpreter, script: script)
        try connection.hello()
        return connection
    }

    private let item: [String: Any] = ["service": "tokens", "account": "ann"]
    private let data: [String: Any] = ["data": ["base64": "AQ=="]]
    private let user: [String: Any] = ["name": "Ann", "email": "ann@example.com", "password": "secret"]
    private let verifier: [String: Any] = ["service": "org.example.Shop", "account": "ann@example.com"]

    /// A daemon in which the app's script has kept something of each kind; the offer's id.
    private func keeping(_ consent: Consent = .person) throws -> (daemon: TestService, offer: String) {
        let daemon = try TestService(consent: consent)
        let app = try connect(daemon, Self.app)
        #expect(try app.call("keychain.set", item.merging(data) { $1 }).error == nil)
        #expect(try app.call("signIn.start", user).error == nil)
        let suggested = try app.call("autofill.suggest", ["service": Examples.shop, "fields": Examples.signUp])
        let offer = try #require(suggested.suggestion("strongPassword")?["offer"] as? String)
        // What it has made on this connection it has without a word.
        #expect(try app.call("keychain.get", item).error == nil)
        #expect(try app.call("signIn.status").result?["user"] is [String: String])
        #expect(try app.call("autofill.fill", ["offer": offer]).error == nil)
        #expect(daemon.questions.isEmpty)
        try app.disconnect()
        return (daemon, offer)
    }

    /// attacks.md, a hostile program, 1
    @Test("A script's pending offer for a form is one connection's: no other gets it, nor plants one")
    func form() throws {
        let daemon = try TestService(consent: .person)
        func offer(_ connection: ServiceConnection) throws -> String {
            let form: [String: Any] = ["service": Examples.shop, "fields": Examples.signUp, "form": "join"]
            let suggested = try connection.call("autofill.suggest", form)
            return try #require(suggested.suggestion("strongPassword")?["offer"] as? String)
        }
        let (evil, app) = (try connect(daemon, Self.evil), try connect(daemon, Self.app))
        let planted = try offer(evil)
        let own = try offer(app)
        #expect(own != planted)
        #expect(try offer(app) == own && offer(evil) == planted)
        #expect(try offer(try connect(daemon, nil)) != own)
        // Nor is it, by its password, when the form is submitted.
        let filled = try evil.call("autofill.fill", ["offer": planted])
        let password = try #require(filled.text("password"))
        let submitted: [String: Any] = [
            "service": Examples.shop, "form": "join",
            "fields": [
                ["id": "mail", "contentType": "username", "value": "ann"],
                ["id": "new", "contentType": "newPassword", "secure": true, "value": password],
            ],
        ]
        _ = try app.send("autofill.submitted", submitted)
        #expect(daemon.questions.count == 1, "nobody has offered it that")
        // A program of its own has its offer on every connection.
        func program() throws -> ServiceConnection {
            let connection = daemon.connect(.systemProgram)
            try connection.hello()
            return connection
        }
        #expect(try offer(try program()) == offer(try program()))
    }

    private func requests(_ offer: String) -> [(String, [String: Any])] {
        [
            ("keychain.get", item), ("keychain.set", item.merging(data) { $1 }), ("keychain.delete", item),
            ("keychain.rename", item.merging(["newAccount": "bob"]) { $1 }), ("keychain.list", ["service": "tokens"]),
            ("admin.verifier.export", verifier), ("verifier.delete", verifier),
            ("verifier.set", verifier.merging(["password": "other"]) { $1 }), ("signIn.status", [:]),
            ("signIn.end", [:]),
            ("signIn.start", user), ("autofill.fill", ["offer": offer]),
            ("autofill.accept", ["offer": offer, "user": "eve"]),
        ]
    }

    /// attacks.md, a hostile program, 1
    @Test("Another script that says it is the app gets, changes and lists nothing of it without a prompt that names it")
    func otherScript() throws {
        let (daemon, offer) = try keeping()
        for script in [Self.evil, Self.app, nil] {
            for (method, parameters) in requests(offer) {
                let evil = try connect(daemon, script)
                let forbidden = parameters.merging(["interaction": "forbid"]) { $1 }
                #expect(try evil.call(method, forbidden).reasons == ["interaction-required"], "\(method)")
                #expect(daemon.questions.isEmpty)
                _ = try evil.send(method, parameters)
                let question = try #require(daemon.questions.first, "\(method)")
                #expect(question.first.description.contains("running \(script?.path ?? "what cannot be told")"))
                try daemon.answer(question, .deny)
                #expect(try evil.answers().map(\.reasons) == [["consent-denied"]], "\(method)")
                daemon.clock.advance(by: .seconds(7200))
            }
            let evil = try connect(daemon, script)
            #expect(try (evil.call("offer.list").result?["offers"] as? [Any])?.isEmpty == true)
            #expect(try evil.call("autofill.decline", ["offer": offer]).reasons == ["interaction-required"])
        }
    }

    /// attacks.md, a hostile program, 1
    @Test("The person's word is for one script as it was, until the login ends, and for all that is the app's own")
    func oneWord() throws {
        let (daemon, offer) = try keeping()
        let app = try connect(daemon, Self.app)
        _ = try app.send("keychain.get", item)
        let question = try #require(daemon.questions.first)
        #expect(question.afterYes?.description.contains("until you log out") == true)
        try daemon.answer(question, .allow)
        #expect(try app.answers().map(\.error).allSatisfy { $0 == nil })
        let again = try connect(daemon, Self.app)
        #expect(try again.call("signIn.status").result?["user"] is [String: String])
        #expect(try again.call("autofill.fill", ["offer": offer]).error == nil)
        #expect(try (again.call("offer.list").result?["offers"] as? [Any])?.count == 1)
        #expect(daemon.questions.isEmpty)
        for other in [Self.evil, Script(path: Self.app.path, hash: "changed"), nil] {
            let evil = try connect(daemon, other)
            #expect(
                try evil.call("keychain.get", item.merging(["interaction": "forbid"]) { $1 }).reasons
                    == ["interaction-required"])
        }
        let person = daemon.connect()
        try person.hello("org.autofilld.autofillctl")
        let grants =
            try person.call("admin.grant.list", ["proof": Examples.proof]).result?["grants"] as? [[String: Any]]
        let grant = try #require(grants?.first)
        #expect(grant["executable"] as? String == "login:boot/session script:/usr/share/shop/app.py#aa")
        try person.call("admin.grant.revoke", ["grant": grant["grant"] ?? "", "proof": Examples.proof])
        let third = try connect(daemon, Self.app)
        #expect(
            try third.call("signIn.status", ["interaction": "forbid"]).reasons == ["interaction-required"])
    }

    @Test("Allowed once, or where nobody knows what runs, the word holds for the connection")
    func connection() throws {
        let (daemon, _) = try keeping()
        let unknown = try connect(daemon, nil)
        _ = try unknown.send("keychain.get", item)
        let question = try #require(daemon.questions.first)
        #expect(question.afterYes == nil)
        try daemon.answer(question, .once)
        #expect(try unknown.answers().map(\.error).allSatisfy { $0 == nil })
        #expect(try unknown.call("signIn.status").error == nil)
        #expect(daemon.questions.isEmpty)
        let next = try connect(daemon, nil)
        #expect(try next.call("signIn.status", ["interaction": "forbid"]).reasons == ["interaction-required"])
    }

    @Test("A grant for a domain is the login's, and gives nothing of the app's own")
    func grant() throws {
        let (daemon, _) = try keeping()
        let person = daemon.connect()
        try person.hello("org.autofilld.autofillctl")
        try person.call(
            "credential.save", ["service": Examples.shop, "user": "ann", "password": "s3cret", "proof": Examples.proof])
        let app = try connect(daemon, Self.app)
        _ = try app.send("credential.get", ["service": Examples.shop])
        try daemon.answer(try #require(daemon.questions.first), .allow)
        let evil = try connect(daemon, Self.evil)
        #expect(try evil.call("credential.get", ["service": Examples.shop]).text("password") == "s3cret")
        #expect(
            try evil.call("keychain.get", item.merging(["interaction": "forbid"]) { $1 }).reasons
                == ["interaction-required"])
    }

    @Test("Where nobody can be asked it says so, and a program of one purpose needs no word")
    func nobody() throws {
        let (daemon, _) = try keeping(.absent)
        let evil = try connect(daemon, Self.evil)
        #expect(try evil.call("keychain.get", item).reasons == ["grant-missing"])
        let shop = daemon.connect()
        try shop.hello()
        #expect(try shop.call("keychain.set", ["service": "own", "account": "a"].merging(data) { $1 }).error == nil)
        try shop.disconnect()
        let again = daemon.connect()
        try again.hello()
        #expect(try again.call("keychain.get", ["service": "own", "account": "a"]).error == nil)
    }
}
