// SPDX-License-Identifier: Apache-2.0
import AutofillProtocol
import Credentials
import Foundation
import PeerIdentity
import Reasons
import Support
import Testing

@testable import AutofillService
@testable import Prompting

@Suite("Filling without an id: the person picks the account")
struct AccountPickingTests {
    private static var fill: [String: Any] { ["service": Examples.shop, "fields": Examples.signIn] }

    private func person(_ daemon: TestService, saving users: [String]) throws -> ServiceConnection {
        let person = daemon.connect()
        try person.hello("org.autofilld.autofillctl")
        for user in users {
            try person.call(
                "credential.save",
                ["service": Examples.shop, "user": user, "password": "of \(user)", "proof": Examples.proof])
        }
        return person
    }

    private func allow(_ person: ServiceConnection) throws {
        let allowed = try person.call(
            "admin.grant.allow", ["bundleID": "org.example.Shop", "service": Examples.shop, "proof": Examples.proof])
        #expect(allowed.error == nil)
    }

    @Test("One prompt names the app, the site and the accounts; the one that is picked is filled, and no other is told")
    func pick() throws {
        let daemon = try TestService(consent: .person)
        _ = try person(daemon, saving: ["ann", "bob", "eve"])
        let shop = daemon.connect()
        try shop.hello()
        #expect(try shop.send("autofill.fill", Self.fill, id: 7).isEmpty)
        let question = try #require(daemon.questions.first)
        let page = try #require(question.pages.first)
        let text = question.pick(from: page, isLast: true, error: nil).description
        for shown in ["Shop", "shop.example.com", "ann", "bob", "eve"] { #expect(text.contains(shown), "\(text)") }
        let place = try #require(question.accounts.firstIndex { $0.user == "bob" })
        try daemon.pick(place, of: question, .once)
        let lines = shop.received()
        #expect(lines.count == 1)
        let answer = try TestAnswer(lines[0])
        #expect(answer.text("user") == "bob" && answer.text("password") == "of bob")
        #expect(!lines[0].contains("ann") && !lines[0].contains("eve"))
        // A yes for once is none for the next time.
        #expect(
            try shop.call("autofill.fill", Self.fill.merging(["interaction": "forbid"]) { $1 }).reasons == [
                "interaction-required"
            ])
    }

    @Test(
        "A fill names its credential, which a change of password replaces; after a yes for once the person is asked again"
    )
    func replaces() throws {
        let daemon = try TestService(consent: .person)
        let person = try person(daemon, saving: ["ann", "bob"])
        let shop = daemon.connect()
        try shop.hello()
        #expect(try shop.send("autofill.fill", Self.fill, id: 7).isEmpty)
        let question = try #require(daemon.questions.first)
        try daemon.pick(try #require(question.accounts.firstIndex { $0.user == "bob" }), of: question, .once)
        let filled = try TestAnswer(try #require(shop.received().first))
        let credential = try #require(filled.text("credential"))
        let form: [[String: Any]] = [
            ["id": "old", "contentType": "password", "secure": true],
            ["id": "new", "contentType": "newPassword", "secure": true],
        ]
        let suggested = try shop.call("autofill.suggest", ["service": Examples.shop, "fields": form])
        let offer = try #require(suggested.suggestion("strongPassword")?["offer"])
        let new = try shop.call("autofill.fill", ["offer": offer])
        #expect(new.text("password") != nil && new.result?["credential"] == nil)
        let accept: [String: Any] = ["offer": offer, "replaces": credential]
        let forbidden = try shop.call("autofill.accept", accept.merging(["interaction": "forbid"]) { $1 })
        #expect(forbidden.reasons == ["interaction-required"])
        #expect(try shop.send("autofill.accept", accept, id: 8).isEmpty)
        try daemon.answer(try #require(daemon.questions.first), .once)
        let accepted = try TestAnswer(try #require(shop.received().first))
        #expect(accepted.text("credential") == credential && accepted.result?["changed"] as? Bool == true)
        let again = daemon.connect()
        try again.hello()
        for connection in [shop, again] {
            #expect(try connection.call("autofill.accept", accept).result?["changed"] as? Bool == false)
        }
        let get: [String: Any] = ["service": Examples.shop, "user": "bob", "proof": Examples.proof]
        #expect(try person.call("credential.get", get).text("password") == new.text("password"))
    }

    @Test("Forbidden to ask, it fills under a grant where there is one account, and nowhere else")
    func forbidden() throws {
        let forbid = Self.fill.merging(["interaction": "forbid"]) { $1 }
        var refused: [[String]] = []
        for users in [[], ["ann"], ["ann", "bob"]] {
            let daemon = try TestService(consent: .person)
            let person = try person(daemon, saving: users)
            let shop = daemon.connect()
            try shop.hello()
            refused.append(try shop.call("autofill.fill", forbid).reasons)
            try allow(person)
            let answer = try shop.call("autofill.fill", forbid)
            switch users.count {
            case 0: #expect(answer.reasons == ["credential-not-found"])
            case 1: #expect(answer.text("password") == "of ann")
            default: #expect(answer.reasons == ["interaction-required"])
            }
            #expect(daemon.questions.isEmpty)
        }
        #expect(refused == Array(repeating: ["interaction-required"], count: 3))
    }

    @Test(
        "Whether the person is asked does not depend on what is saved, and after a yes nothing saved is nothing found")
    func nothing() throws {
        let daemon = try TestService(consent: .person)
        let shop = daemon.connect()
        try shop.hello()
        #expect(try shop.send("autofill.fill", Self.fill, id: 7).isEmpty)
        try daemon.answer(try #require(daemon.questions.first), .once)
        #expect(try shop.received().map { try TestAnswer($0).reasons } == [["credential-not-found"]])
        #expect(try shop.send("autofill.fill", Self.fill, id: 8).isEmpty)
        try daemon.answer(try #require(daemon.questions.first), .deny)
        #expect(try shop.received().map { try TestAnswer($0).reasons } == [["consent-denied"]])
    }

    @Test("What was deleted while the person looked is not filled, and what the app saved itself takes no prompt")
    func meanwhile() throws {
        let daemon = try TestService(consent: .person)
        let person = try person(daemon, saving: ["ann", "bob"])
        let shop = daemon.connect()
        try shop.hello()
        #expect(try shop.send("autofill.fill", Self.fill, id: 7).isEmpty)
        let question = try #require(daemon.questions.first)
        try person.call(
            "credential.delete", ["credential": question.accounts[1].id.description, "proof": Examples.proof])
        try daemon.pick(1, of: question, .once)
        #expect(try shop.received().map { try TestAnswer($0).reasons } == [["credential-not-found"]])

        let other = try TestService(consent: .person)
        let own = other.connect()
        try own.hello()
        try own.call("credential.save", ["service": Examples.shop, "user": "me", "password": "mine"])
        #expect(try own.call("autofill.fill", Self.fill).text("password") == "mine")
        #expect(other.questions.isEmpty)
    }

    @Test(
        "However many accounts there are and however long their names, each prompt fits on its line and has the identity"
    )
    func pages() throws {
        let long = String(repeating: "\u{10FFFF}%", count: 400)
        for users in [(0..<60).map { "user \($0)" }, (0..<60).map { "\($0)\(long)" }] {
            let evidence = PromptedEvidence(
                name: long, bundleID: long, assurance: .attributed,
                peer: .plainProcess, spokesman: nil)
            let accounts = users.enumerated().map { place, user in
                PromptedAccount(id: ObjectID(kind: .credential, high: 1, low: UInt64(place)), user: user)
            }
            let question = ConsentQuestion(
                matter: .fillOne(accounts: accounts, isGranted: true),
                subject: Subject(app: long, assurance: "claimed", executable: long),
                service: Service(kind: .domain, value: long), memory: nil, detail: "", evidence: evidence,
                unasked: Refusal(.grantMissing))
            #expect(question.pages.flatMap(\.self) == Array(0..<60))
            for page in question.pages {
                let prompt = question.pick(from: page, isLast: false, error: nil)
                #expect(AssuanText.line("SETDESC", prompt.description) != nil, "\(page)")
                #expect(prompt.description.split(separator: "\n").last?.hasPrefix("Identity: ") == true)
                for place in page { #expect(prompt.description.contains("\n\(place + 1)  ")) }
            }
        }
    }
}
