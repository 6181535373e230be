// SPDX-License-Identifier: Apache-2.0
import AutofillClient
import AutofillCommands
import PasswordRules
import Testing

@Suite("Apps and the real service", .serialized, .enabled(if: TestDaemon.isThere, TestDaemon.absence))
struct SessionTests {
    private static let site = CredentialServiceIdentifier.domain("shop.example.com")

    private func signUp(rules: PasswordRules? = nil) -> AutofillForm {
        AutofillForm(
            for: Self.site,
            fields: [
                FormField("mail", .username, keyboardType: .emailAddress),
                FormField("pass", .newPassword, isSecureTextEntry: true, passwordRules: rules),
                FormField("again", .newPassword, isSecureTextEntry: true),
            ])
    }

    @Test("An app signs up: the strong password satisfies the rules, fills both fields, and is read again")
    func signsUp() async throws {
        let daemon = try await TestDaemon()
        let session = try await daemon.session()
        #expect(session.greeting.isEphemeral && session.greeting.vault == .unlocked)
        #expect(session.greeting.app.associatedDomainCount == 1)
        let rules = try PasswordRules(descriptor: "required: upper; required: digit; allowed: lower; minlength: 24")
        let form = signUp(rules: rules)
        let suggestions = try await session.suggestions(for: form)
        let offer = try #require(suggestions.strongPassword)
        #expect(suggestions.strongPasswordWithheld.isEmpty && suggestions.formKind == .signUp)
        #expect(offer.fields == ["pass", "again"] && offer.length >= 24)
        let filled = try await session.fill(offer)
        #expect(filled.values == ["pass": filled.password, "again": filled.password])
        #expect(filled.password.contains { $0.isUppercase } && filled.password.contains { $0.isNumber })
        let saved = try await session.accept(offer, user: "jo@example.com")
        #expect(saved.isChanged)
        #expect(try await session.accept(offer, user: "jo@example.com").isChanged == false)
        let credential = try await session.credential(for: Self.site)
        #expect(credential == PasswordCredential(user: "jo@example.com", password: filled.password))
        #expect(try await session.credentials(for: Self.site).map(\.id) == [saved.id])
    }

    @Test("Label, notes, tags and fields are set and read again, and are in no description")
    func details() async throws {
        let daemon = try await TestDaemon()
        let session = try await daemon.session()
        let fields = [
            CredentialField(name: "PIN", value: "hunter3", isSecret: true), CredentialField(name: "b", value: ""),
        ]
        let changes = CredentialChanges(label: "Shop", notes: "hunter2", tags: ["work"], fields: fields)
        let saved = try await session.save(
            PasswordCredential(user: "ann", password: "hunter1"), for: Self.site, with: changes)
        let read = try #require(try await session.completeCredential(for: Self.site, user: "ann"))
        #expect(read.saved.id == saved.id && read.saved.label == "Shop" && read.saved.tags == ["work"])
        #expect(read.saved.service == Self.site && read.saved.kind == .password)
        #expect(read.saved.services == [CredentialService(Self.site, match: .site)])
        #expect(read.password.password == "hunter1" && read.notes == "hunter2" && read.fields == fields)
        for value in [read, fields[0], changes] as [any Sendable] {
            var dumped = ""
            dump(value, to: &dumped)
            #expect(!"\(value) \(String(reflecting: value)) \(dumped)".contains("hunter"))
        }
        let fewer = CredentialChanges(notes: "", tags: [])
        #expect(try await session.update(saved.id, fewer, ifVersion: read.saved.version))
        #expect(try await !session.update(saved.id, fewer, ifVersion: read.saved.version))
        let listed = try await session.credentials(for: Self.site)
        #expect(
            listed.map(\.tags) == [[]] && listed.map(\.label) == ["Shop"] && listed[0].version != read.saved.version)
        #expect(try await session.completeCredential(for: Self.site)?.notes == nil)
        #expect(try await session.completeCredential(for: Self.site, user: "eve") == nil)
    }

    @Test("The same form gets the same offer, a declined one gets another")
    func sameForm() async throws {
        let daemon = try await TestDaemon()
        let session = try await daemon.session()
        let form = signUp()
        let first = try #require(try await session.suggestions(for: form).strongPassword)
        #expect(try await session.suggestions(for: form).strongPassword?.offer == first.offer)
        try await session.decline(first)
        let second = try #require(try await session.suggestions(for: form).strongPassword)
        #expect(second.offer != first.offer)
    }

    @Test("An app that is not set up gets the reason and its fix, and the journal has Apple's line")
    func notSetUp() async throws {
        let daemon = try await TestDaemon(apps: ["org.example.NotSetUp": []])
        let session = try await daemon.session(as: "org.example.NotSetUp")
        let suggestions = try await session.suggestions(for: signUp())
        #expect(suggestions.strongPassword == nil)
        let reason = try #require(suggestions.strongPasswordWithheld.first)
        #expect(reason.code == .associatedDomainsMissing)
        #expect(reason.fix.contains("autofillctl app register"))
        let line = """
            [AutoFill] Cannot show Automatic Strong Passwords for app bundleID: org.example.NotSetUp due to error: Cannot \
            save passwords for this app. Make sure you have set up Associated Domains for your app and AutoFill Passwords \
            is enabled in Settings
            """
        let journal = daemon.process.journal(until: { $0.contains(line) }, within: .seconds(60))
        #expect(journal.contains { $0.contains(line) })
    }

    @Test("A shown password and a missing user name each have their reason")
    func formReasons() async throws {
        let daemon = try await TestDaemon()
        let session = try await daemon.session()
        let form = AutofillForm(for: Self.site, fields: [FormField("pass", .newPassword)])
        let codes = try await session.suggestions(for: form).strongPasswordWithheld.map(\.code)
        #expect(codes == [.fieldNotSecure, .usernameFieldMissing])
    }

    @Test("What was typed is saved, replaced, listed, filled and deleted")
    func typed() async throws {
        let daemon = try await TestDaemon()
        let session = try await daemon.session()
        let first = try await session.save(PasswordCredential(user: "jo", password: "ä one"), for: Self.site)
        let again = try await session.save(PasswordCredential(user: "jo", password: "ä one"), for: Self.site)
        #expect(first.isChanged && !again.isChanged && first.id == again.id)
        try await session.save(PasswordCredential(user: "jo", password: "two"), for: Self.site)
        #expect(try await session.credential(for: Self.site, user: "jo")?.password == "two")
        let signIn = AutofillForm(
            for: Self.site,
            fields: [FormField("user", .username), FormField("pass", .password, isSecureTextEntry: true)])
        let saved = try #require(try await session.suggestions(for: signIn).savedCredentials)
        let one = try #require(saved.credentials.first)
        let filled = try await session.fill(one, into: signIn)
        #expect(filled.values == ["user": "jo", "pass": "two"])
        #expect(try await session.rename(one.id, to: "jo@example.com"))
        let renamed = try await session.credential(one.id)
        #expect(renamed?.user == "jo@example.com" && renamed?.password == "two")
        #expect(try await session.deleteCredential(one.id))
        // It has nothing of its own there any more, so it learns no more than any other app.
        await #expect {
            try await session.credentials(for: Self.site)
        } throws: { ($0 as? AutofillError)?.isRefused(for: .grantMissing) == true }
    }

    @Test("A session that saved nothing gets nothing without the user's consent, and everything with it")
    func grants() async throws {
        for (consent, code) in [(nil, AutofillReason.Code.grantMissing), ("deny", .consentDenied)] {
            let daemon = try await TestDaemon(consent: consent)
            try await daemon.session().save(PasswordCredential(user: "jo", password: "one"), for: Self.site)
            let other = try await daemon.session()
            await #expect {
                try await other.credential(for: Self.site)
            } throws: { ($0 as? AutofillError)?.isRefused(for: code) == true }
            await #expect {
                try await other.credential(for: Self.site, interaction: .forbidden)
            } throws: { ($0 as? AutofillError)?.isRefused(for: .interactionRequired) == true }
        }
        let daemon = try await TestDaemon(consent: "allow")
        try await daemon.session().save(PasswordCredential(user: "jo", password: "one"), for: Self.site)
        #expect(try await daemon.session().credential(for: Self.site)?.password == "one")
    }

    @Test("Two hundred calls at the same time all get their answers")
    func concurrent() async throws {
        let daemon = try await TestDaemon()
        let session = try await daemon.session()
        try await session.save(PasswordCredential(user: "jo", password: "one"), for: Self.site)
        let passwords = try await withThrowingTaskGroup(of: String?.self) { group in
            for _ in 0..<200 { group.addTask { try await session.credential(for: Self.site)?.password } }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(passwords == Array(repeating: "one", count: 200))
    }

    @Test("diagnose lists every condition with its evidence")
    func diagnosis() async throws {
        let daemon = try await TestDaemon()
        let session = try await daemon.session()
        let good = try await session.diagnose(form: signUp())
        #expect(good.offersStrongPassword)
        let bad = try await session.diagnose(for: .domain("other.example.com"))
        #expect(!bad.offersStrongPassword)
        let failed = bad.conditions.filter { $0.isHeld == false }
        #expect(failed.first?.reason?.code == .domainNotAssociated)
        #expect(failed.first?.evidence.contains("shop.example.com") == true)
    }

    @Test("A malformed bundle ID and a malformed domain are reported with their member")
    func invalid() async throws {
        let daemon = try await TestDaemon()
        await #expect {
            try await daemon.session(as: "not a bundle ID")
        } throws: { error in
            guard case .invalidRequest(let request)? = error as? AutofillError else { return false }
            return request.member == "bundleID"
        }
        let session = try await daemon.session()
        await #expect {
            try await session.credential(for: .domain("https://shop.example.com"))
        } throws: { error in
            guard case .invalidRequest(let request)? = error as? AutofillError else { return false }
            return request.member == "service.value" && !request.fix.isEmpty
        }
    }

    @Test("After the service is killed the next call and the next session fail: it is not running")
    func killed() async throws {
        let daemon = try await TestDaemon()
        let session = try await daemon.session()
        daemon.process.kill()
        await #expect(throws: AutofillError.unavailable(.notRunning)) { try await session.status() }
        await #expect(throws: AutofillError.unavailable(.notRunning)) { try await daemon.session() }
    }
}
