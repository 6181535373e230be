// SPDX-License-Identifier: Apache-2.0
import AutofillProtocol
import AutofillService
import Credentials
import EventLoop
import Foundation
import PeerIdentity
import Prompting
import SecretMemory
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
        try connection.greet()
        return connection
    }

    private let secret = SecretBytes(utf8: "secret")

    private func getItem(_ interaction: Interaction = .allow) -> KeychainGet {
        KeychainGet(.place(namespace: "tokens", account: "ann"), interaction: interaction)
    }
    private func setItem(_ interaction: Interaction = .allow) -> KeychainSet {
        KeychainSet(namespace: "tokens", account: "ann", data: secret, interaction: interaction)
    }
    private func start(_ interaction: Interaction = .allow) -> SignInStart {
        SignInStart(name: "Ann", account: "ann@example.com", password: secret, interaction: interaction)
    }

    /// A daemon in which the app's script has kept something of each kind; the offer's id.
    private func keeping(_ consent: Consent = .user) throws -> (daemon: TestService, offer: String) {
        let daemon = try TestService(consent: consent)
        let app = try connect(daemon, Self.app)
        try app.answer(to: setItem())
        try app.answer(to: start())
        let suggested = try app.answer(to: AutofillSuggest(service: .shop, form: FormDescription(.signUp)))
        let offer = try #require(suggested.strongPassword).offer
        // What it has made on this connection it has without a word.
        try app.answer(to: getItem())
        #expect(try app.answer(to: SignInStatus()).user != nil)
        try app.answer(to: AutofillFill(offer: offer))
        #expect(daemon.questions.isEmpty)
        try app.disconnect()
        return (daemon, offer)
    }

    /// attacks.md, a hostile program, 1
    @Test("A script's pending offer for a form is one connection's: no other gets it, nor plants one")
    func form() throws {
        let daemon = try TestService(consent: .user)
        func offer(_ connection: ServiceConnection) throws -> String {
            let suggested = try connection.answer(
                to: AutofillSuggest(service: .shop, form: FormDescription(.signUp, id: "join")))
            return try #require(suggested.strongPassword).offer
        }
        let (evil, app) = (try connect(daemon, Self.evil), try connect(daemon, Self.app))
        let planted = try offer(evil)
        let own = try offer(app)
        #expect(own != planted)
        #expect(try offer(app) == own && offer(evil) == planted)
        #expect(try offer(try connect(daemon, nil)) != own)
        // Nor is it, by its password, when the form is submitted.
        let filled = try evil.answer(to: AutofillFill(offer: planted))
        let password = try #require(filled.password)
        _ = try app.send(
            try app.submission(
                of: FormDescription(
                    [
                        FieldDescription(id: "mail", contentType: "username", value: SecretBytes(utf8: "ann")),
                        FieldDescription(id: "new", contentType: "newPassword", isSecure: true, value: password),
                    ], id: "join")))
        #expect(daemon.questions.count == 1, "nobody has offered it that")
        // A program of its own has its offer on every connection.
        func program() throws -> ServiceConnection {
            let connection = daemon.connect(.systemProgram)
            try connection.greet()
            return connection
        }
        #expect(try offer(try program()) == offer(try program()))
    }

    @Test("What the user decides by command about an app's own data holds for its script")
    func decided() throws {
        let (daemon, _) = try keeping()
        let user = try daemon.user()
        try user.answer(to: GrantDeny(bundleID: "org.example.Shop", .keychain(.own), proof: .test))
        #expect(try user.answer(to: GrantList(proof: .test)).grants.map(\.target) == [.keychain(.own)])
        #expect(try connect(daemon, Self.app).reasons(for: getItem()) == ["grant-denied"])
        try user.answer(to: GrantAllow(.app(bundleID: "org.example.Shop"), .keychain(.own), proof: .test))
        try connect(daemon, Self.app).answer(to: getItem())
        #expect(daemon.questions.isEmpty)
    }

    @Test("A denial, and the end of a permission, hold for connections that were allowed before")
    func withdrawn() throws {
        for isDenied in [true, false] {
            let (daemon, _) = try keeping()
            let (user, app) = (try daemon.user(), try connect(daemon, Self.app))
            let read = try app.send(getItem())
            try daemon.answer(try #require(daemon.questions.first), .allow)
            _ = try read.answer()
            if isDenied {
                try user.answer(to: GrantDeny(bundleID: "org.example.Shop", .keychain(.own), proof: .test))
            } else {
                let grant = try #require(try user.answer(to: GrantList(proof: .test)).grants.first)
                #expect(try user.answer(to: GrantRevoke(grant: grant.grant, proof: .test)).changed)
            }
            #expect(try app.reasons(for: getItem(.forbid)) == [isDenied ? "grant-denied" : "interaction-required"])
        }
    }

    private func calls(_ offer: String, _ interaction: Interaction = .allow) -> [any MethodCall] {
        let (service, account) = ("org.example.Shop", "ann@example.com")
        return [
            getItem(interaction), setItem(interaction),
            KeychainDelete(.place(namespace: "tokens", account: "ann"), interaction: interaction),
            KeychainRename(
                .place(namespace: "tokens", account: "ann"), newPlace: PlaceName(namespace: "tokens", account: "bob"),
                interaction: interaction),
            KeychainSearch(namespace: "tokens", interaction: interaction),
            VerifierExport(namespace: service, account: account, interaction: interaction),
            VerifierDelete(namespace: service, account: account, interaction: interaction),
            VerifierSet(namespace: service, account: account, password: secret, interaction: interaction),
            SignInStatus(interaction: interaction), SignInEnd(interaction: interaction), start(interaction),
            AutofillFill(offer: offer, interaction: interaction),
            AutofillAccept(offer: offer, user: "eve", interaction: interaction),
        ]
    }

    /// attacks.md, a hostile program, 1
    @Test(
        "Another script that claims to be the app gets, changes and lists nothing of it without a prompt that names it")
    func otherScript() throws {
        let (daemon, offer) = try keeping()
        func expectAsked(_ call: some MethodCall, by script: Script?) throws {
            let evil = try connect(daemon, script)
            let sent = try evil.send(call)
            let question = try #require(daemon.questions.first, "\(call)")
            #expect(question.first.description.contains("running \(script?.path ?? "an unknown program")"))
            try daemon.answer(question, .deny)
            #expect(try sent.reasons() == ["consent-denied"], "\(call)")
            daemon.clock.advance(by: .seconds(7200))
        }
        for script in [Self.evil, Self.app, nil] {
            let evil = try connect(daemon, script)
            for call in calls(offer, .forbid) {
                #expect(try evil.reasons(for: call) == ["interaction-required"], "\(call)")
                #expect(daemon.questions.isEmpty)
            }
            for call in calls(offer) { try expectAsked(call, by: script) }
            #expect(try evil.answer(to: OfferList()).offers.isEmpty)
            #expect(try evil.reasons(for: AutofillDecline(offer: offer)) == ["interaction-required"])
        }
    }

    /// attacks.md, a hostile program, 1
    @Test(
        "The user's consent is for one script as it was, and for all that is the app's own; until logout or always",
        arguments: [
            (ConsentAnswer.login, "login:boot/session script:/usr/share/shop/app.py#aa"),
            (.allow, "script:/usr/share/shop/app.py#aa"),
        ])
    func oneConsent(_ answer: ConsentAnswer, remembered: String) throws {
        let (daemon, offer) = try keeping()
        let app = try connect(daemon, Self.app)
        let got = try app.send(getItem())
        let question = try #require(daemon.questions.first)
        #expect(question.first.description.contains("wants to use “tokens”, and what else it has saved for itself."))
        #expect(question.first.answers.map(\.label) == ["This time", "Until logout", "Always", "Never"])
        #expect(question.afterYes?.alternative == Prompt.Answer(.login, "Until logout"))
        #expect(question.afterYes?.kind == .confirm(yes: "Always", no: "Only this once"))
        try daemon.answer(question, answer)
        _ = try got.answer()
        let again = try connect(daemon, Self.app)
        #expect(try again.answer(to: SignInStatus()).user != nil)
        try again.answer(to: AutofillFill(offer: offer))
        #expect(try again.answer(to: OfferList()).offers.count == 1)
        #expect(daemon.questions.isEmpty)
        for other in [Self.evil, Script(path: Self.app.path, hash: "changed"), nil] {
            let evil = try connect(daemon, other)
            #expect(
                try evil.reasons(for: getItem(.forbid))
                    == ["interaction-required"])
        }
        let user = daemon.connect()
        try user.greet(as: "org.autofilld.autofillctl")
        let grant = try #require(try user.answer(to: GrantList(proof: .test)).grants.first)
        #expect(grant.executable == remembered)
        try user.answer(to: GrantRevoke(grant: grant.grant, proof: .test))
        let third = try connect(daemon, Self.app)
        #expect(
            try third.reasons(for: SignInStatus(interaction: .forbid)) == ["interaction-required"])
    }

    @Test("What one script saves another one of its app is notified of once the user has given it the app's own data")
    func events() throws {
        let (daemon, _) = try keeping()
        let (app, evil) = (try connect(daemon, Self.app), try connect(daemon, Self.evil))
        try evil.answer(to: EventSubscribe())
        try app.answer(to: CredentialSave("ann", "one"))
        #expect(try evil.events().isEmpty)
        let got = try evil.send(getItem())
        try daemon.answer(try #require(daemon.questions.first), .once)
        _ = try got.answer()
        let id = try app.answer(to: CredentialSave("ann", "two")).credential
        #expect(
            try evil.events().map(\.content)
                == [.credentialsChanged(service: .shop, credential: id, change: "saved")])
    }

    @Test("Allowed once, or where nobody knows what runs, the consent holds for the connection")
    func connection() throws {
        let (daemon, _) = try keeping()
        let unknown = try connect(daemon, nil)
        let got = try unknown.send(getItem())
        let question = try #require(daemon.questions.first)
        #expect(question.afterYes == nil)
        try daemon.answer(question, .once)
        _ = try got.answer()
        try unknown.answer(to: SignInStatus())
        #expect(daemon.questions.isEmpty)
        let next = try connect(daemon, nil)
        #expect(try next.reasons(for: SignInStatus(interaction: .forbid)) == ["interaction-required"])
    }

    @Test(
        "Always holds after the next login, until logout does not; neither does for an interpreter that others can change",
        arguments: [ConsentAnswer.login, .allow])
    func nextLogin(_ answer: ConsentAnswer) throws {
        let (daemon, _) = try keeping()
        let got = try connect(daemon, Self.app).send(getItem())
        try daemon.answer(try #require(daemon.questions.first), answer)
        _ = try got.answer()
        for (place, isLasting) in [(ExecutableFile.Location.rootOwned, true), (.userOwned, false)] {
            var evidence = PeerEvidence.interpreter(place, login: "boot/next")
            evidence.process = isLasting ? 1001 : 1002
            let app = daemon.connect(evidence, script: Self.app)
            try app.greet()
            let isServed = isLasting && answer == .allow
            if isServed {
                try app.answer(to: getItem(.forbid))
            } else {
                #expect(try app.reasons(for: getItem(.forbid)) == ["interaction-required"])
                let asked = try app.send(getItem())
                let question = try #require(daemon.questions.first)
                let labels = ["This time", "Until logout"] + (isLasting ? ["Always"] : []) + ["Never"]
                #expect(question.first.answers.map(\.label) == labels)
                try daemon.answer(question, .once)
                _ = try asked.answer()
            }
        }
    }

    @Test("Never is for every program that claims to be the app, and is no question any more")
    func never() throws {
        let (daemon, _) = try keeping()
        let app = try connect(daemon, Self.app)
        let got = try app.send(getItem())
        try daemon.answer(try #require(daemon.questions.first), .never)
        #expect(try got.reasons() == ["grant-denied"])
        for script in [Self.app, Script(path: Self.app.path, hash: "changed"), Self.evil] {
            #expect(try connect(daemon, script).reasons(for: getItem()) == ["grant-denied"])
        }
        #expect(daemon.questions.isEmpty)
    }

    @Test("A script's question is its own: another script's request does not get the answer")
    func ownQuestion() throws {
        let (daemon, _) = try keeping()
        let user = daemon.connect()
        try user.greet(as: "org.autofilld.autofillctl")
        try user.answer(
            to: CredentialSave(service: .shop, user: "ann", password: SecretBytes(utf8: "s3cret"), proof: .test))
        let (app, evil) = (try connect(daemon, Self.app), try connect(daemon, Self.evil))
        let got = try app.send(CredentialGet(service: .shop))
        let stolen = try evil.send(CredentialGet(service: .shop))
        try daemon.answer(try #require(daemon.questions.first), .allow)
        #expect(try got.answer().password.text == "s3cret")
        #expect(stolen.waits)
        let other = try #require(daemon.questions.first)
        #expect(other.first.description.contains("evil.py"))
        try daemon.answer(other, .deny)
        #expect(try stolen.reasons() == ["consent-denied"])
    }

    @Test("A grant for a domain is one script's as it was, and gives nothing of the app's own")
    func grant() throws {
        let (daemon, _) = try keeping()
        let user = daemon.connect()
        try user.greet(as: "org.autofilld.autofillctl")
        try user.answer(
            to: CredentialSave(service: .shop, user: "ann", password: SecretBytes(utf8: "s3cret"), proof: .test))
        let app = try connect(daemon, Self.app)
        _ = try app.send(CredentialGet(service: .shop))
        try daemon.answer(try #require(daemon.questions.first), .allow)
        let evil = try connect(daemon, Self.evil)
        for script in [Self.evil, Script(path: Self.app.path, hash: "changed"), nil] {
            let other = try connect(daemon, script)
            #expect(
                try other.reasons(for: CredentialGet(service: .shop, interaction: .forbid)) == ["interaction-required"])
        }
        let again = try connect(daemon, Self.app)
        #expect(try again.answer(to: CredentialGet(service: .shop)).password.text == "s3cret")
        #expect(
            try evil.reasons(for: getItem(.forbid))
                == ["interaction-required"])
    }

    @Test("Where nobody can be asked it states so, and a program of one purpose needs no consent")
    func nobody() throws {
        let (daemon, _) = try keeping(.absent)
        let evil = try connect(daemon, Self.evil)
        #expect(try evil.reasons(for: getItem()) == ["grant-missing"])
        let shop = daemon.connect()
        try shop.greet()
        try shop.answer(to: KeychainSet(namespace: "own", account: "a", data: secret))
        try shop.disconnect()
        let again = daemon.connect()
        try again.greet()
        try again.answer(to: KeychainGet(.place(namespace: "own", account: "a")))
    }
}
