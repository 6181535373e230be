// SPDX-License-Identifier: Apache-2.0
import AutofillProtocol
import AutofillService
import Prompting
import SecretMemory
import Settings
import Support
import Testing

@Suite("Events")
struct EventTests {
    private func connect(
        _ daemon: TestService, as app: String = "org.example.Shop", subscribes: Bool = true
    ) throws -> ServiceConnection {
        let connection = daemon.connect()
        try connection.greet(as: app)
        if subscribes { try connection.answer(to: EventSubscribe()) }
        return connection
    }

    private func kinds(_ connection: ServiceConnection) throws -> [EventNotice.Kind] {
        try connection.events().map(\.content.kind)
    }

    @Test("The subscription gives the state, and each event the next number of the same epoch")
    func sequence() throws {
        let daemon = try TestService()
        let shop = try connect(daemon, subscribes: false)
        let state = try shop.answer(to: EventSubscribe())
        #expect(state.sequence == 0)
        #expect(state.vault == "unlocked")
        let other = try connect(daemon, as: "org.example.NotSetUp", subscribes: false)
        for _ in 0..<2 {
            try other.answer(to: VaultLock())
            try other.answer(to: VaultUnlock(proof: .test))
        }
        let events = try shop.events()
        #expect(events.map(\.content.kind) == [.vaultLocked, .vaultUnlocked, .vaultLocked, .vaultUnlocked])
        #expect(events.map(\.sequence) == [1, 2, 3, 4])
        #expect(events.allSatisfy { $0.epoch == state.epoch && $0.causedBy == nil })
        #expect(events.first?.content == .vaultLocked(cause: "request"))
        #expect(try shop.answer(to: EventSubscribe()).sequence == 4)
        #expect(try connect(TestService(), subscribes: false).answer(to: EventSubscribe()).epoch != state.epoch)
    }

    @Test(
        "The event of one's own change comes after its answer, names the request, and contains neither user nor password"
    )
    func causedBy() throws {
        let daemon = try TestService()
        let (shop, other) = (try connect(daemon), try connect(daemon))
        let lines = try shop.exchange(
            #"{"jsonrpc":"2.0","id":"mine","method":"credential.save","params":{"service":{"type":"domain","value":"#
                + #""shop.example.com"},"user":"ann@example.com","password":"correct horse"}}"#)
        #expect(lines.count == 2 && lines[0].contains(#""changed":true"#))
        #expect(lines[1].contains(#""type":"credentialsChanged""#) && lines[1].contains(#""causedBy":"mine""#))
        for line in lines { #expect(!line.contains("ann@") && !line.contains("correct horse")) }
        let theirs = try #require(try other.events().first)
        guard case .credentialsChanged(_, let credential?, "saved") = theirs.content else {
            Issue.record("\(theirs)")
            return
        }
        #expect(theirs.causedBy == nil && lines[1].contains(credential))
    }

    @Test("A password that was typed and saved is reported like any other save, and one that is there already is not")
    func submitted() throws {
        var settings = DaemonSettings()
        settings.saveSubmitted = .always
        let daemon = try TestService(settings: settings)
        let (shop, other) = (try connect(daemon), try connect(daemon))
        let submission = try shop.submission(
            of: FormDescription([
                FieldDescription(id: "mail", contentType: "username", value: SecretBytes(utf8: "ann")),
                FieldDescription(
                    id: "new", contentType: "newPassword", isSecure: true, value: SecretBytes(utf8: "typed by hand")),
            ]))
        #expect(try kinds(other).isEmpty)
        let saved = try shop.answer(to: submission)
        #expect(saved.outcome == "saved")
        #expect(
            try other.events().map(\.content) == [
                .credentialsChanged(service: .shop, credential: saved.credential, change: "saved")
            ])
        #expect(try shop.answer(to: submission).outcome == "unchanged")
        #expect(try kinds(other).isEmpty)
    }

    @Test(
        "An app receives events of its own services alone, of what it may have there, and the command receives no site")
    func entitlement() throws {
        let daemon = try TestService()
        let (shop, other) = (try connect(daemon), try connect(daemon, as: "org.example.NotSetUp"))
        let control = try connect(daemon, as: "org.autofilld.autofillctl")
        let silent = try connect(daemon, subscribes: false)
        let writer = try connect(daemon, as: "org.autofilld.autofillctl", subscribes: false)
        func save(_ password: String) throws {
            for service in [ServiceIdentifier.shop, .bank] {
                try writer.answer(
                    to: CredentialSave(
                        service: service, user: "ann", password: SecretBytes(utf8: password), proof: .test))
            }
        }
        try save("secret")
        #expect(try kinds(shop).isEmpty, "that a domain is declared is no leave to know what is saved there")
        #expect(try control.events().count == 2)
        try writer.answer(to: GrantAllow(bundleID: "org.example.Shop", service: .shop, proof: .test))
        try save("another")
        #expect(try kinds(shop) == [.credentialsChanged])
        #expect(try kinds(other).isEmpty)
        #expect(silent.received().isEmpty)
        let nameless = EventNotice.Content.credentialsChanged(service: nil, credential: nil, change: nil)
        #expect(try control.events().map(\.content) == [nameless, nameless])
        try writer.answer(to: GrantDeny(bundleID: "org.example.Shop", .service(.shop), proof: .test))
        try save("third")
        #expect(try kinds(shop).isEmpty)
    }

    @Test("With a yes until logout an app is notified, too")
    func untilLogout() throws {
        let daemon = try TestService(consent: .user)
        let user = try daemon.user()
        func save(_ password: String) throws {
            try user.answer(
                to: CredentialSave(
                    service: .shop, user: "ann", password: SecretBytes(utf8: password), proof: .test))
        }
        try save("secret")
        let shop = daemon.connect(.systemProgram)
        try shop.greet()
        try shop.answer(to: EventSubscribe())
        let sent = try shop.send(CredentialGet(service: .shop))
        try daemon.answer(try #require(daemon.questions.first), .login)
        try sent.answer()
        try save("another")
        #expect(try kinds(shop) == [.credentialsChanged])
    }

    @Test("Saving, accepting and deleting are changes; repeating them is none")
    func changes() throws {
        let daemon = try TestService()
        let (shop, listener) = (try connect(daemon, subscribes: false), try connect(daemon))
        let suggested = try shop.answer(to: AutofillSuggest(service: .shop, form: FormDescription(.signUp)))
        let offer = try #require(suggested.strongPassword).offer
        let credential = try shop.answer(to: AutofillAccept(offer: offer, user: "ann")).credential
        #expect(try shop.answer(to: AutofillAccept(offer: offer, user: "ann")).credential == credential)
        for _ in 0..<2 { try shop.answer(to: CredentialDelete(credential: credential)) }
        #expect(
            try listener.events().map(\.content)
                == ["saved", "deleted"].map {
                    .credentialsChanged(service: .shop, credential: credential, change: $0)
                })
    }

    @Test("A changed setting reaches the apps that it decides about, and its name the command")
    func settings() throws {
        let daemon = try TestService()
        let (shop, control) = (try connect(daemon), try connect(daemon, as: "org.autofilld.autofillctl"))
        func set(_ setting: String, _ value: SettingValue, app: String? = nil) throws {
            let change = try control.send(SettingSet(setting: setting, value: value, app: app, proof: .test))
            #expect(try change.answer().changed)
            let event = try #require(try control.events().first)
            #expect(event.causedBy == .number(change.id))
            guard case .settingsChanged(_, let changed) = event.content else {
                Issue.record("\(event)")
                return
            }
            #expect(changed == [app == nil ? setting : "strongPasswordsByApp"])
        }
        try set("logLevel", .string("debug"))
        try set("strongPasswords", .bool(false), app: "org.example.Bank")
        #expect(shop.received().isEmpty)
        try set("strongPasswords", .bool(false), app: "org.example.Shop")
        try set("autoFill", .bool(false))
        #expect(
            try shop.events().map(\.content) == [
                .settingsChanged(
                    AppSettings(keychain: true, autoFill: true, strongPasswords: false), changed: nil),
                .settingsChanged(
                    AppSettings(keychain: true, autoFill: false, strongPasswords: false), changed: nil),
            ])
    }

    @Test("Sign-in and association reach the app that they are about")
    func announced() throws {
        let daemon = try TestService()
        let (shop, other) = (try connect(daemon), try connect(daemon, as: "org.example.NotSetUp"))
        try daemon.announce(.loginStatusChanged(app: "org.example.Shop", isSignedIn: true))
        try daemon.settle()
        #expect(try shop.events().map(\.content) == [.loginStatusChanged(isSignedIn: true)])
        #expect(other.received().isEmpty)
    }

    @Test("A client that does not read its events learns which are lost; the others lose none")
    func lost() throws {
        let daemon = try TestService()
        let (slow, quick) = (try connect(daemon), try connect(daemon))
        try daemon.onEngine { [client = slow.client] in $0.setReading(false, client) }
        let count = Limits.waitingEvents + 10
        for _ in 0..<count {
            try daemon.announce(.vaultUnlocked)
            try daemon.settle()
        }
        #expect(slow.received().isEmpty)
        #expect(try quick.events().map(\.sequence) == Array(1...count))
        try daemon.onEngine { [client = slow.client] in $0.setReading(true, client) }
        try daemon.settle()
        let late = try slow.events()
        #expect(late.count == Limits.waitingEvents + 1)
        #expect(late.dropLast().map(\.sequence) == Array(1...Limits.waitingEvents))
        let notice = try #require(late.last)
        #expect(notice.content == .eventsLost(from: Limits.waitingEvents + 1, to: count) && notice.sequence == count)
        try daemon.announce(.vaultUnlocked)
        try daemon.settle()
        #expect(try slow.events().map(\.sequence) == [count + 1])
    }
}
