// SPDX-License-Identifier: Apache-2.0
import AutofillProtocol
import Credentials
import Foundation
import PeerIdentity
import Reasons
import SecretMemory
import Support
import Testing

@testable import AutofillService
@testable import Prompting

@Suite("Filling without an id: the user picks the account")
struct AccountPickingTests {
    private static let fill = AutofillFill(service: .shop, form: FormDescription(.signIn))
    private static let silently = AutofillFill(service: .shop, form: FormDescription(.signIn), interaction: .forbid)

    private let daemon: TestService
    private let shop: ServiceConnection

    init() throws {
        daemon = try TestService(consent: .user)
        shop = daemon.connect()
        try shop.greet()
    }

    @discardableResult
    private func user(saving users: [String], in daemon: TestService? = nil) throws -> ServiceConnection {
        let user = try (daemon ?? self.daemon).user()
        for name in users { try user.answer(to: CredentialSave(name, "of \(name)", proof: .test)) }
        return user
    }

    /// A fill that asks, and its question.
    private func ask() throws -> (SentCall<AutofillFill>, ConsentQuestion) {
        let sent = try shop.send(Self.fill)
        return (sent, try #require(daemon.questions.first))
    }

    @Test(
        "One prompt names the app, the site and the accounts; the one that is picked is filled, and no other is named")
    func pick() throws {
        try user(saving: ["ann", "bob", "eve"])
        // On the wire: nothing of the others is in the line.
        #expect(
            try shop.send("autofill.fill", ["service": Examples.shop, "form": ["fields": Examples.signIn]], id: 7)
                .isEmpty)
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
        #expect(try shop.reasons(for: Self.silently) == ["interaction-required"])
    }

    @Test(
        "A fill names its credential, which a change of password replaces; after a yes for once the user is asked again"
    )
    func replaces() throws {
        let user = try user(saving: ["ann", "bob"])
        let (fill, question) = try ask()
        try daemon.pick(try #require(question.accounts.firstIndex { $0.user == "bob" }), of: question, .once)
        let credential = try #require(try fill.answer().credential)
        let form = [
            FieldDescription(id: "old", contentType: "password", isSecure: true),
            FieldDescription(id: "new", contentType: "newPassword", isSecure: true),
        ]
        let suggested = try shop.answer(to: AutofillSuggest(service: .shop, form: FormDescription(form)))
        let offer = try #require(suggested.strongPassword).offer
        let new = try shop.answer(to: AutofillFill(offer: offer))
        #expect(new.password != nil && new.credential == nil)
        let accept = AutofillAccept(offer: offer, replaces: credential)
        let silently = AutofillAccept(offer: offer, replaces: credential, interaction: .forbid)
        #expect(try shop.reasons(for: silently) == ["interaction-required"])
        let sent = try shop.send(accept)
        try daemon.answer(try #require(daemon.questions.first), .once)
        #expect(try sent.answer() == SavedAnswer(credential: credential, changed: true))
        let again = daemon.connect()
        try again.greet()
        for connection in [shop, again] { #expect(try !connection.answer(to: accept).changed) }
        let saved = try user.answer(to: CredentialGet(service: .shop, user: "bob", proof: .test))
        #expect(saved.password.text == new.password?.text)
    }

    @Test("Forbidden to ask, it fills under a grant where there is one account, and nowhere else")
    func forbidden() throws {
        for users in [[], ["ann"], ["ann", "bob"]] {
            let daemon = try TestService(consent: .user)
            let user = try user(saving: users, in: daemon)
            let shop = daemon.connect()
            try shop.greet()
            #expect(try shop.reasons(for: Self.silently) == ["interaction-required"])
            try user.answer(to: GrantAllow(bundleID: "org.example.Shop", service: .shop, proof: .test))
            switch users.count {
            case 0: #expect(try shop.reasons(for: Self.silently) == ["credential-not-found"])
            case 1: #expect(try shop.answer(to: Self.silently).password?.text == "of ann")
            default: #expect(try shop.reasons(for: Self.silently) == ["interaction-required"])
            }
            #expect(daemon.questions.isEmpty)
        }
    }

    @Test(
        "Whether the user is asked does not depend on what is saved, and after a yes nothing saved is nothing found")
    func nothing() throws {
        for (answer, reason) in [(ConsentAnswer.once, "credential-not-found"), (.deny, "consent-denied")] {
            let (fill, question) = try ask()
            try daemon.answer(question, answer)
            #expect(try fill.reasons() == [reason])
        }
    }

    @Test("What was deleted while the prompt was shown is not filled, and what the app saved itself needs no prompt")
    func meanwhile() throws {
        let user = try user(saving: ["ann", "bob"])
        let (fill, question) = try ask()
        try user.answer(to: CredentialDelete(credential: question.accounts[1].id.description, proof: .test))
        try daemon.pick(1, of: question, .once)
        #expect(try fill.reasons() == ["credential-not-found"])

        let other = try TestService(consent: .user)
        let own = other.connect()
        try own.greet()
        try own.answer(to: CredentialSave("me", "mine"))
        #expect(try own.answer(to: Self.fill).password?.text == "mine")
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
                peer: .plainProcess, delegate: nil)
            let accounts = users.enumerated().map { place, user in
                PromptedAccount(id: ObjectID(kind: .credential, high: 1, low: UInt64(place)), user: user)
            }
            let question = ConsentQuestion(
                matter: .fillOne(accounts: accounts, isGranted: true),
                subject: Subject(app: long, assurance: "claimed", executable: long),
                service: Service(kind: .domain, value: long), grantees: Grantees(), detail: "", evidence: evidence,
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
