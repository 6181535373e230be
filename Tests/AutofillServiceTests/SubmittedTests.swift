// SPDX-License-Identifier: Apache-2.0
import AutofillProtocol
import AutofillService
import CredentialStorage
import Credentials
import Foundation
import Prompting
import SecretMemory
import Settings
import Support
import Testing

@Suite("What the user typed")
struct SubmittedTests {
    private func daemon(
        _ save: DaemonSettings.SaveSubmitted = .ask, _ consent: Consent = .fixed(.allow)
    ) throws -> TestService {
        var settings = DaemonSettings()
        settings.saveSubmitted = save
        return try TestService(consent: consent, settings: settings)
    }

    private func connect(_ daemon: TestService, _ app: String = "org.example.Shop") throws -> ServiceConnection {
        let connection = daemon.connect()
        try connection.greet(as: app)
        return connection
    }

    private func secure(_ id: String, _ contentType: String, _ value: String) -> FieldDescription {
        FieldDescription(id: id, contentType: contentType, isSecure: true, value: SecretBytes(utf8: value))
    }

    private func signIn(_ user: String?, _ password: String?) -> [FieldDescription] {
        let name = user.map { FieldDescription(id: "mail", contentType: "username", value: SecretBytes(utf8: $0)) }
        return [name, password.map { secure("pw", "password", $0) }].compactMap(\.self)
    }

    private func change(_ old: String, _ new: String) -> [FieldDescription] {
        [secure("old", "password", old), secure("new", "newPassword", new), secure("again", "newPassword", new)]
    }

    @discardableResult
    private func submit(
        _ app: ServiceConnection, _ fields: [FieldDescription], form: String? = nil
    ) throws -> AutofillConfirm.Answer {
        try app.answer(to: try app.submission(of: FormDescription(fields, id: form)))
    }

    private func reasons(
        _ app: ServiceConnection, _ fields: [FieldDescription], at service: ServiceIdentifier = .shop,
        _ interaction: Interaction = .allow
    ) throws -> [String] {
        do {
            return try app.reasons(
                for: try app.submission(of: FormDescription(fields), at: service, interaction: interaction))
        } catch let refused as ServiceConnection.Refused {
            return refused.reasons.map(\.reason)
        }
    }

    private func saved(_ daemon: TestService, _ name: String) throws -> String? {
        let user = try connect(daemon, "org.autofilld.autofillctl")
        return try? user.answer(to: CredentialGet(service: .shop, user: name, proof: .test)).password.text
    }

    @Test("What is saved is announced, once")
    func announced() throws {
        let daemon = try daemon()
        let (shop, listener) = (try connect(daemon), try connect(daemon))
        try listener.answer(to: EventSubscribe())
        for (password, isChange) in [("one", true), ("one", false), ("two", true)] {
            try submit(shop, signIn("ann", password))
            #expect(try listener.events().map(\.content.kind) == (isChange ? [.credentialsChanged] : []))
        }
    }

    @Test("A new user is saved, another password updates it and the former is kept, and the same changes nothing")
    func outcomes() throws {
        let daemon = try daemon()
        let shop = try connect(daemon)
        let first = try submit(shop, signIn("ann", "one"))
        #expect(first.outcome == "saved")
        #expect(first.changed)
        let again = try submit(shop, signIn("ann", "one"))
        #expect(again.outcome == "unchanged")
        #expect(!again.changed)
        #expect(again.credential == first.credential)
        let changed = try submit(shop, signIn("ann", "two"))
        #expect(changed.outcome == "updated")
        #expect(changed.credential == first.credential)
        #expect(try saved(daemon, "ann") == "two")
    }

    @Test("A change form finds whose password it was by the current one")
    func change() throws {
        let daemon = try daemon()
        let shop = try connect(daemon)
        try submit(shop, signIn("ann", "one"))
        try submit(shop, signIn("bob", "two"))
        let changed = try submit(shop, change("two", "three"))
        #expect(changed.outcome == "updated")
        #expect(try saved(daemon, "bob") == "three")
        #expect(try saved(daemon, "ann") == "one")
        #expect(try submit(shop, signIn(nil, "nobody's")).outcome == "nothing")
    }

    @Test("A current password that two accounts have finds neither of them")
    func sharedPassword() throws {
        let daemon = try daemon(.always)
        let shop = try connect(daemon)
        for user in ["ann", "bob"] { try submit(shop, signIn(user, "one")) }
        #expect(try submit(shop, change("one", "two")).outcome == "nothing")
        #expect(try ["ann", "bob"].map { try saved(daemon, $0) } == ["one", "one"])
    }

    @Test(
        "A form with one password as the current and the new one finds the account that has it, and writes nothing",
        arguments: [DaemonSettings.SaveSubmitted.ask, .always])
    func sameAgain(save: DaemonSettings.SaveSubmitted) throws {
        let daemon = try daemon(save)
        let (shop, user) = (try connect(daemon), try connect(daemon, "org.autofilld.autofillctl"))
        for (name, password) in [("ann", "one"), ("bob", "two"), ("eve", "two")] {
            try submit(shop, signIn(name, password))
        }
        func versions() throws -> [String] {
            try user.answer(to: CredentialList(proof: .test)).credentials.map { "\($0.user) \($0.version)" }.sorted()
        }
        // As the browser extension sends it.
        func sent(_ password: String) throws -> AutofillConfirm {
            let fields = ["current-password", "new-password"].map { name in
                FieldDescription(
                    id: name, isSecure: true, autocomplete: name, type: "password", name: name,
                    value: SecretBytes(utf8: password))
            }
            return try shop.submission(of: FormDescription(fields, id: "unchanged"), interaction: .forbid)
        }
        let before = try versions()
        #expect(before.count == 3)
        let found = try shop.answer(to: try sent("one"))
        #expect(found.outcome == "unchanged" && !found.changed && found.credential != nil)
        // One that nobody has, and one of two users.
        for password in ["three", "two"] {
            let confirmation = try sent(password)
            if save == .always {
                #expect(try shop.answer(to: confirmation).outcome == "nothing", "\(password)")
            } else {
                #expect(try shop.reasons(for: confirmation) == ["interaction-required"], "\(password)")
            }
        }
        #expect(try versions() == before)
        #expect(try ["ann", "bob", "eve"].map { try saved(daemon, $0) } == ["one", "two", "two"])
    }

    @Test(
        "Where no current password identifies the account, the user picks one of those that the app may know of",
        arguments: [VaultLimits().turnBytes, 1])
    func pickedAccount(turnBytes: Int) throws {
        let daemon = try daemon(.ask, .user)
        daemon.vault?.limits.turnBytes = turnBytes
        let user = try connect(daemon, "org.autofilld.autofillctl")
        for name in ["ann", "bob", "eve"] {
            try user.answer(to: CredentialSave(name, "of \(name)", proof: .test))
        }
        let form = FormDescription(change("nobody's", "three"))
        // Without a grant nobody is asked: whether there are any is not revealed.
        let other = try connect(daemon)
        #expect(try other.answer(to: try other.submission(of: form)).outcome == "nothing" && daemon.questions.isEmpty)
        try user.answer(to: GrantAllow(bundleID: "org.example.Shop", service: .shop, proof: .test))
        let shop = try connect(daemon)
        #expect(
            try shop.reasons(for: try shop.submission(of: form, interaction: .forbid)) == ["interaction-required"])
        let sent = try shop.send(try shop.submission(of: form))
        try daemon.settle()
        let question = try #require(daemon.questions.first)
        let text = question.pick(from: try #require(question.pages.first), isLast: true, error: nil).description
        for shown in ["Save the password", "shop.example.com", "ann", "bob", "eve"] {
            #expect(text.contains(shown), "\(text)")
        }
        try daemon.pick(try #require(question.accounts.firstIndex { $0.user == "bob" }), of: question, .once)
        #expect(try sent.answer().outcome == "updated" && daemon.questions.isEmpty)
        #expect(try ["ann", "bob", "eve"].map { try saved(daemon, $0) } == ["of ann", "three", "of eve"])
        let again = try shop.send(try shop.submission(of: FormDescription(change("nobody's", "four"))))
        try daemon.settle()
        try daemon.answer(try #require(daemon.questions.first), .deny)
        #expect(try again.reasons() == ["consent-denied"] && saved(daemon, "bob") == "three")
        let always = try self.daemon(.always, .absent)
        let silent = try connect(always)
        for user in ["ann", "bob"] { try submit(silent, signIn(user, "of \(user)")) }
        #expect(try submit(silent, change("nobody's", "three")).outcome == "nothing")
    }

    @Test("Where only one account can be meant the question names it, and what it replaces; unasked nothing is saved")
    func onlyOne() throws {
        let daemon = try daemon(.ask, .user)
        let user = try connect(daemon, "org.autofilld.autofillctl")
        try user.answer(to: CredentialSave("ann", "of ann", proof: .test))
        try user.answer(to: GrantAllow(bundleID: "org.example.Shop", service: .shop, proof: .test))
        let shop = try connect(daemon)
        let sent = try shop.send(try shop.submission(of: FormDescription(change("bob's", "three"))))
        try daemon.settle()
        let text = try #require(daemon.questions.first).first.description
        for shown in ["Save the password for ann at shop.example.com", "It replaces the password"] {
            #expect(text.contains(shown), "\(text)")
        }
        try daemon.answer(try #require(daemon.questions.first), .deny)
        #expect(try sent.reasons() == ["consent-denied"] && saved(daemon, "ann") == "of ann")
        let always = try self.daemon(.always, .absent)
        let silent = try connect(always)
        try submit(silent, signIn("ann", "of ann"))
        #expect(try submit(silent, change("bob's", "three")).outcome == "nothing")
        #expect(try saved(always, "ann") == "of ann")
    }

    @Test("A sign-in over two pages is put together; a form without a password holds nothing to save")
    func twoPages() throws {
        let daemon = try daemon()
        let shop = try connect(daemon)
        let first = try shop.answer(to: AutofillSubmit(service: .shop, form: FormDescription(signIn("ann", nil))))
        #expect(first == AutofillSubmit.Answer())
        #expect(try submit(shop, signIn(nil, "one")).outcome == "saved")
        #expect(try saved(daemon, "ann") == "one")
        #expect(try submit(try connect(daemon), signIn(nil, "two")).outcome == "nothing")
    }

    @Test("A change is no second page: it is of the account whose current password was typed")
    func changeAfterFirstPage() throws {
        let daemon = try daemon()
        let shop = try connect(daemon)
        for user in ["ann", "bob"] { try submit(shop, signIn(user, "of \(user)")) }
        try shop.answer(to: AutofillSubmit(service: .shop, form: FormDescription(signIn("ann", nil))))
        #expect(try submit(shop, change("of bob", "three")).outcome == "updated")
        #expect(try saved(daemon, "ann") == "of ann" && saved(daemon, "bob") == "three")
    }

    @Test("An offered password that was submitted is accepted, without a question, and not saved again")
    func offer() throws {
        let daemon = try daemon(.never)
        let shop = try connect(daemon)
        let suggested = try shop.answer(to: AutofillSuggest(service: .shop, form: FormDescription(.signUp, id: "f1")))
        let offer = try #require(suggested.strongPassword).offer
        let password = try #require(try shop.answer(to: AutofillFill(offer: offer)).password)
        var fields = [FieldDescription].signUp
        for (place, value) in [SecretBytes(utf8: "ann@example.com"), password, password].enumerated() {
            fields[place].value = value
        }
        // From a new connection, as after a crash of the app: the form's id leads to it.
        let second = try connect(daemon)
        #expect(try submit(second, fields, form: "f1").outcome == "saved")
        #expect(try saved(daemon, "ann@example.com") == password.text)
        let accepted = try shop.answer(to: AutofillAccept(offer: offer, user: "ann@example.com"))
        #expect(!accepted.changed)
    }

    @Test("Where nobody can be asked it is not saved, and the fix is returned; the setting can be always, or never")
    func settings() throws {
        let asking = try daemon(.ask, .absent)
        #expect(try reasons(try connect(asking), signIn("ann", "one")) == ["save-unconfirmed"])
        #expect(try saved(asking, "ann") == nil)
        #expect(
            try reasons(try connect(asking), signIn("ann", "one"), .forbid)
                == ["interaction-required"])
        let always = try daemon(.always, .absent)
        #expect(try submit(try connect(always), signIn("ann", "one")).outcome == "saved")
        let never = try daemon(.never)
        #expect(try reasons(try connect(never), signIn("ann", "one")) == ["save-disabled"])
    }

    @Test("No is for this time; never is remembered for the app, listed, and revoked like a grant")
    func never() throws {
        let script = try ConsentScript(
            """
            org.example.Shop * deny
            org.example.Shop * never
            * * allow
            * * allow
            """)
        let daemon = try daemon(.ask, .scripted(script))
        let shop = try connect(daemon)
        #expect(try reasons(shop, signIn("ann", "one")) == ["consent-denied"])
        #expect(try reasons(shop, signIn("bob", "one")) == ["consent-denied"], "it holds for every user name")
        daemon.clock.advance(milliseconds: Int64(Limits.denialMilliseconds))
        #expect(try reasons(shop, signIn("ann", "one")) == ["save-disabled"])
        #expect(try reasons(try connect(daemon), signIn("bob", "two")) == ["save-disabled"])
        let user = try connect(daemon, "org.autofilld.autofillctl")
        let word = try #require(try user.answer(to: GrantList(proof: .test)).grants.first)
        #expect(word.service?.value == "*")
        try user.answer(to: GrantRevoke(grant: word.grant, proof: .test))
        #expect(try submit(shop, signIn("ann", "one")).outcome == "saved")
    }

    @Test("Whether a password is the saved one is returned only to an app that may have it")
    func oracle() throws {
        let daemon = try daemon(.ask, .absent)
        let user = try connect(daemon, "org.autofilld.autofillctl")
        try user.answer(
            to: CredentialSave(service: .shop, user: "ann", password: SecretBytes(utf8: "one"), proof: .test))
        let shop = try connect(daemon)
        for password in ["one", "two"] {
            for user in ["ann", "nobody"] {
                #expect(try reasons(shop, signIn(user, password)) == ["save-unconfirmed"])
            }
        }
        try user.answer(to: GrantAllow(bundleID: "org.example.Shop", service: .shop, proof: .test))
        #expect(try submit(shop, signIn("ann", "one")).outcome == "unchanged")
        #expect(try reasons(shop, signIn("ann", "two")) == ["save-unconfirmed"])
    }

    @Test("An app that is not associated with the domain saves nothing there")
    func association() throws {
        let daemon = try daemon(.always)
        let shop = try connect(daemon)
        #expect(try reasons(shop, signIn("ann", "one"), at: .bank) == ["domain-not-associated"])
    }

    @Test("Nothing is saved, and no offer is accepted, before the site has accepted the form")
    func provisional() throws {
        let daemon = try daemon(.always)
        let shop = try connect(daemon)
        let suggested = try shop.answer(to: AutofillSuggest(service: .shop, form: FormDescription(.signUp, id: "f1")))
        let offer = try #require(suggested.strongPassword).offer
        let password = try #require(try shop.answer(to: AutofillFill(offer: offer)).password)
        var fields = [FieldDescription].signUp
        for (place, value) in [SecretBytes(utf8: "ann"), password, password].enumerated() {
            fields[place].value = value
        }
        for (fields, form) in [(fields, "f1"), (signIn("bob", "typed"), "f2")] {
            let refused = try shop.submission(of: FormDescription(fields, id: form))
            #expect(try saved(daemon, "ann") == nil && saved(daemon, "bob") == nil)
            #expect(try shop.answer(to: OfferList()).offers.map(\.offer) == [offer])
            #expect(try shop.answer(to: AutofillWithdraw(submission: refused.submission)).changed)
            #expect(try !shop.answer(to: AutofillWithdraw(submission: refused.submission)).changed)
            #expect(try shop.reasons(for: refused) == ["submission-not-found"])
        }
        #expect(try saved(daemon, "ann") == nil && saved(daemon, "bob") == nil)
        #expect(try shop.answer(to: OfferList()).offers.map(\.offer) == [offer])
        let accepted = try shop.submission(of: FormDescription(fields, id: "f1"))
        #expect(try shop.answer(to: accepted).outcome == "saved")
        let again = try shop.answer(to: accepted)
        #expect(try again.outcome == "unchanged" && !again.changed && saved(daemon, "ann") == password.text)
        #expect(try shop.answer(to: OfferList()).offers.isEmpty)
    }

    @Test("A submission is the connection's own, and is kept for an hour, until a lock, and as one of the latest eight")
    func submissionEnds() throws {
        let daemon = try daemon(.always)
        let shop = try connect(daemon)
        let form = FormDescription(signIn("ann", "one"))
        func isKept(_ sent: AutofillConfirm) throws -> Bool {
            let reasons = try shop.reasons(for: sent)
            #expect(reasons.isEmpty || reasons == ["submission-not-found"], "\(reasons)")
            return reasons.isEmpty
        }
        let sent = try shop.submission(of: form)
        let other = try connect(daemon)
        #expect(try other.reasons(for: sent) == ["submission-not-found"])
        #expect(try !other.answer(to: AutofillWithdraw(submission: sent.submission)).changed)
        daemon.clock.advance(milliseconds: Int64(Limits.submissionMilliseconds) - 1)
        let late = try shop.submission(of: form)
        #expect(try isKept(sent))
        daemon.clock.advance(milliseconds: 1)
        #expect(try !isKept(sent) && isKept(late))
        var many: [AutofillConfirm] = []
        for _ in 0...Limits.pendingSubmissions { many.append(try shop.submission(of: form)) }
        #expect(try many.map { try isKept($0) } == many.indices.map { $0 > 0 })
        let locked = try shop.submission(of: form)
        let user = try connect(daemon, "org.autofilld.autofillctl")
        try user.answer(to: VaultLock())
        #expect(try !shop.answer(to: AutofillWithdraw(submission: locked.submission)).changed)
        try user.answer(to: VaultUnlock(proof: .test))
        #expect(try !isKept(locked))
        let stranger = try connect(daemon, "org.example.Unknown")
        #expect(try stranger.reasons(for: locked) == ["app-not-registered"])
    }
}
