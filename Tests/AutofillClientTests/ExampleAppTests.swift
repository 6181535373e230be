// SPDX-License-Identifier: Apache-2.0
import AutofillClient
import AutofillCommands
import DaemonSocket
import Testing

/// An app as its developer would write it, with the types of Apple's article: a sign-up form, an `AuthController`, a keychain.
private struct ExampleApp {
    static let site = CredentialServiceIdentifier.domain("shop.example.com")
    let session: AutofillSession
    let auth: AuthController

    init(_ session: AutofillSession) {
        self.session = session
        auth = AuthController(session)
    }

    /// Uses the strong password for a new account, and stores the site's token.
    func signUp(_ user: AuthController.User, token: String) async throws -> String {
        let form = AutofillForm(
            for: Self.site,
            fields: [
                FormField("mail", .username, keyboardType: .emailAddress),
                FormField("new", .newPassword, isSecureTextEntry: true),
                FormField("again", .newPassword, isSecureTextEntry: true),
            ])
        let offer = try #require(try await session.suggestions(for: form).strongPassword)
        let filled = try await session.fill(offer)
        try await session.accept(offer, user: user.email)
        try await auth.signIn(user, password: filled.password)
        try await KeychainPasswordItem(service: "token", account: user.email, in: session).savePassword(token)
        return filled.password
    }

    /// Replaces the old password by a new strong one.
    func changePassword(_ user: AuthController.User) async throws -> String {
        let form = AutofillForm(
            for: Self.site,
            fields: [
                FormField("old", .password, isSecureTextEntry: true),
                FormField("new", .newPassword, isSecureTextEntry: true),
            ])
        let suggestions = try await session.suggestions(for: form)
        let offer = try #require(suggestions.strongPassword)
        let old = try #require(suggestions.savedCredentials?.credentials.first)
        let filled = try await session.fill(offer)
        try await session.accept(offer, replacing: old.id)
        try await auth.signIn(user, password: filled.password)
        return filled.password
    }
}

@Suite("An example app", .serialized, .enabled(if: TestDaemon.isThere, TestDaemon.absence))
struct ExampleAppTests {
    private static let ann = AuthController.User(name: "Ann", email: "ann@example.com")

    @Test("It signs up, signs in, changes its password and signs out")
    func wholeLifecycle() async throws {
        let daemon = try await TestDaemon()
        let app = ExampleApp(try await daemon.session())
        let watcher = try await daemon.session()
        let events = try await watcher.events()
        #expect(try await !app.auth.isSignedIn)
        let first = try await app.signUp(Self.ann, token: "t0ken")
        #expect(try await app.auth.isSignedIn)
        #expect(try await app.auth.currentUser == Self.ann)
        #expect(try await app.auth.isPassword(first))
        let second = try await app.changePassword(Self.ann)
        #expect(first != second)
        #expect(try await app.session.credential(for: ExampleApp.site)?.password == second)
        #expect(try await app.auth.isPassword(second))
        // Another window of the same program has the same state.
        let window = ExampleApp(try await daemon.session())
        #expect(try await window.auth.currentUser == Self.ann)
        let items = try await KeychainPasswordItem.passwordItems(forService: "token", in: window.session)
        #expect(try await items.first?.readPassword() == "t0ken")
        try await window.auth.signOut()
        #expect(try await !app.auth.isSignedIn)
        #expect(try await app.auth.currentUser == nil)
        #expect(try await !app.auth.isPassword(second))
        var changes: [Bool] = []
        for await event in events {
            guard case .signInChanged(let isSignedIn) = event.kind else { continue }
            changes.append(isSignedIn)
            if !isSignedIn { break }
        }
        #expect(changes == [true, true, false])
    }

    @Test("A keychain item is saved, read, renamed and deleted, with the errors of Apple's sample")
    func keychain() async throws {
        let daemon = try await TestDaemon()
        let session = try await daemon.session()
        var item = KeychainPasswordItem(service: "notes", account: "ann", in: session)
        let absent = item
        await #expect(throws: KeychainError.noPassword) { try await absent.readPassword() }
        try await item.savePassword("geheim ä")
        #expect(try await item.readPassword() == "geheim ä")
        try await KeychainPasswordItem(service: "notes", account: "bob", in: session).saveData([0xFF, 0])
        let bob = KeychainPasswordItem(service: "notes", account: "bob", in: session)
        await #expect(throws: KeychainError.unexpectedPasswordData) { try await bob.readPassword() }
        #expect(try await bob.readData() == [0xFF, 0])
        do {
            try await item.renameAccount("bob")
            Issue.record("renamed over another item")
        } catch {
            #expect(error == .duplicateItem)
        }
        try await item.renameAccount("cat")
        #expect(item.account == "cat")
        #expect(try await item.readPassword() == "geheim ä")
        let accounts = try await KeychainPasswordItem.passwordItems(forService: "notes", in: session).map(\.account)
        #expect(Set(accounts) == ["bob", "cat"])
        let silent = try await KeychainPasswordItem.passwordItems(
            forService: "notes", interaction: .forbidden, in: session)
        #expect(silent.map(\.interaction) == [.forbidden, .forbidden])
        try await item.deleteItem()
        try await item.deleteItem()
        let gone = item
        await #expect(throws: KeychainError.noPassword) { try await gone.readPassword() }
        let foreign = KeychainPasswordItem(service: "s", account: "a", accessGroup: "org.example.Other", in: session)
        do {
            _ = try await foreign.readPassword()
            Issue.record("read in a foreign group")
        } catch {
            guard case .unhandledError(let why) = error else { throw error }
            #expect(why.isRefused(for: .accessGroupNotEntitled))
        }
    }

    @Test("One-time codes are set, suggested, filled and deleted")
    func codes() async throws {
        let daemon = try await TestDaemon()
        let session = try await daemon.session()
        try await session.save(PasswordCredential(user: "ann", password: "secret"), for: ExampleApp.site)
        let uri = "otpauth://hotp/Shop:ann?counter=0&secret=GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ"
        #expect(try await session.setOneTimeCode(uri, for: ExampleApp.site).isChanged)
        let form = AutofillForm(for: ExampleApp.site, fields: [FormField("otp", .oneTimeCode)])
        let suggestion = try #require(try await session.suggestions(for: form).oneTimeCode)
        let code = try #require(suggestion.codes.first)
        #expect(suggestion.fields == ["otp"] && code.user == "ann")
        let filled = try await session.fill(code, into: form)
        #expect(
            filled.code == "755224" && filled.values == ["otp": "755224"] && "\(filled)" == "OneTimeCode(user: ann)")
        #expect(try await session.oneTimeCode(for: ExampleApp.site)?.code == "287082")
        #expect(try await session.deleteOneTimeCode(user: "ann", for: ExampleApp.site))
        #expect(try await session.oneTimeCode(for: ExampleApp.site, user: "ann") == nil)
    }

    @Test("A code that one app received is filled by another, and only an entitled app can hand one over")
    func incomingCode() async throws {
        let daemon = try await TestDaemon(
            apps: ["org.example.Shop": ["shop.example.com"], "org.example.Mail": []],
            entitlement: "org.autofilld.one-time-code-source", consent: "allow")
        try await daemon.session(as: "org.example.Mail").offerOneTimeCode("123456", for: ExampleApp.site)
        let code = try #require(try await daemon.session().oneTimeCode(for: ExampleApp.site))
        #expect(code.code == "123456" && code.source == .incoming && code.user == nil)
        let other = try await TestDaemon()
        await #expect {
            try await other.session().offerOneTimeCode("123456", for: ExampleApp.site)
        } throws: { ($0 as? AutofillError)?.isRefused(for: .codeSourceEntitlementMissing) == true }
    }

    @Test("An app reads the settings, and changes one with the user's consent")
    func settings() async throws {
        let daemon = try await TestDaemon(consent: "allow")
        let session = try await daemon.session()
        let all = try await session.settings()
        #expect(all.first { $0.id == "autoFill" }?.value == .bool(true))
        #expect(all.first { $0.id == "vaultKeyFile" }?.isHidden == true)
        #expect(try await session.settings(interaction: .allowed).allSatisfy { !$0.isHidden })
        await #expect {
            try await session.setSetting("autoFill", to: .bool(false), interaction: .forbidden)
        } throws: { ($0 as? AutofillError)?.isRefused(for: .init(rawValue: "proof-required")) == true }
        #expect(try await session.setSetting("autoFill", to: .bool(false)))
        #expect(try await session.setting("autoFill").value == .bool(false))
        #expect(try await session.setSetting("autoFill", to: nil))
        let own = try await session.setting("strongPasswords", app: "org.example.Shop")
        #expect(own.value == .bool(true) && own.source == .standard && !own.summary.isEmpty)
        #expect(session.greeting.isAutoFillOn)
    }

    @Test("Verifiers are set, checked, exported and imported")
    func verifiers() async throws {
        let daemon = try await TestDaemon()
        let session = try await daemon.session()
        try await session.setVerifier(of: "secret", service: "login", account: "ann")
        let hash = try await session.exportVerifier(service: "login", account: "ann")
        try await session.importVerifier(hash, service: "login", account: "copy")
        #expect(try await session.check("secret", service: "login", account: "copy"))
        #expect(try await !session.check("Secret", service: "login", account: "copy"))
        #expect(try await session.deleteVerifier(service: "login", account: "ann"))
        await #expect {
            try await session.check("secret", service: "login", account: "ann")
        } throws: { ($0 as? AutofillError)?.isRefused(for: .verifierNotFound) == true }
    }
}

@Suite("Sessions over a restart of the service", .serialized, .enabled(if: TestDaemon.isThere, TestDaemon.absence))
struct ReconnectionTests {
    @Test("A call after a restart connects again; while the service is not available it fails at once")
    func calls() async throws {
        let daemon = try await TestDaemon()
        let session = try await daemon.session()
        #expect(try await session.status().daemon?.isEphemeral == true)
        daemon.process.stop()
        await #expect(throws: AutofillError.self) { try await session.status() }
        let again = try await daemon.startAgain()
        defer { again.stop() }
        #expect(try await session.status().vault == .unlocked)
        async let first = session.status()
        async let second = session.status()
        let both = try await [first, second]
        #expect(both.map { $0.daemon?.isEphemeral } == [true, true])
        try await session.save(PasswordCredential(user: "ann", password: "secret"), for: ExampleApp.site)
        #expect(try await session.credential(for: ExampleApp.site)?.password == "secret")
    }

    @Test("A sequence of events continues after a restart, with the state")
    func events() async throws {
        let daemon = try await TestDaemon()
        let session = try await daemon.session()
        let events = try await session.events()
        daemon.process.stop()
        let again = try await daemon.startAgain()
        defer { again.stop() }
        var seen: [AutofillEvent.Kind] = []
        for await event in events {
            seen.append(event.kind)
            guard case .stateChanged(let vault, let settings) = event.kind else { break }
            #expect(vault == .unlocked && settings.isKeychainOn)
            try await session.save(PasswordCredential(user: "ann", password: "secret"), for: ExampleApp.site)
        }
        #expect(seen.count == 2)
        guard case .credentialsChanged? = seen.last else { throw AutofillError.cancelled }
    }

    @Test("A call that is not repeatable is not sent twice: it fails with connectionLost")
    func notRepeated() async throws {
        // Answers hello on each connection, and closes it at the next request.
        let service = try ScriptedService { lines in
            lines.last?.contains("\"hello\"") == true ? [ScriptedService.greeting] : nil
        }
        let session = try await AutofillSession.connect(
            bundleID: "org.example.Shop", to: .ofThisProcess(path: service.socket), patience: .seconds(100))
        await #expect(throws: AutofillError.connectionLost) {
            try await session.check("secret", service: "login", account: "ann")
        }
        let sent = service.lines.filter { $0.contains("verifier.check") }
        #expect(sent.count == 1)
    }
}
