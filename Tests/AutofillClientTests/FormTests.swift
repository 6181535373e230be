// SPDX-License-Identifier: Apache-2.0
import AutofillClient
import Testing

@Suite("Forms through the library", .serialized, .enabled(if: TestDaemon.isThere, TestDaemon.absence))
struct FormTests {
    private static let site = CredentialServiceIdentifier.domain("shop.example.com")

    private func signIn(_ more: FormField...) -> AutofillForm {
        AutofillForm(
            for: Self.site,
            fields: [FormField("mail", .username), FormField("pass", .password, isSecureTextEntry: true)] + more)
    }

    @Test(
        "Each field has its role, and a field that has the focus gets what is for it, or the reasons why not"
    )
    func focus() async throws {
        let daemon = try await TestDaemon()
        let session = try await daemon.session()
        var form = AutofillForm(
            for: Self.site,
            fields: [FormField("mail", .username), FormField("new", .newPassword, isSecureTextEntry: true)],
            heading: "Create your account", submitLabels: ["Join"], action: "/signup")
        let field = try await session.suggestions(for: form, focus: "new")
        #expect(field.formKind == .signUp && field.roles == ["mail": .username, "new": .newPassword])
        #expect(field.strongPassword != nil && field.strongPasswordWithheld.isEmpty)
        #expect(try await session.suggestions(for: form, focus: "mail").strongPassword == nil)
        // A show-password switch.
        form.fields[1].isSecureTextEntry = false
        let shown = try await session.suggestions(for: form, focus: "new")
        #expect(shown.strongPassword == nil && shown.strongPasswordWithheld.map(\.code) == [.fieldNotSecure])
        try await session.save(PasswordCredential(user: "ann", password: "one"), for: Self.site)
        #expect(try await session.suggestions(for: signIn(), focus: "pass").savedCredentials != nil)
        #expect(try await session.fill(signIn())?.values == ["mail": "ann", "pass": "one"])
        try await session.setOneTimeCode("otpauth://totp/a?secret=GEZDGNBV", user: "ann", for: Self.site)
        let code = AutofillForm(for: Self.site, fields: [FormField("otp", .oneTimeCode)])
        #expect(try await session.suggestions(for: code, focus: "otp").oneTimeCode?.codes.count == 1)
        do {
            _ = try await session.suggestions(for: form, focus: "nowhere")
            Issue.record("a field that is not in the form")
        } catch {
            guard case .invalidRequest(let request) = error else { throw error }
            #expect(request.member == "form.focus")
        }
    }

    @Test(
        "What the user typed is saved, updated, or nothing to save; a strong password that was typed is accepted")
    func submitted() async throws {
        let daemon = try await TestDaemon(consent: "allow")
        let session = try await daemon.session()
        let form = signIn()
        func submit(_ form: AutofillForm, _ values: [FormField.ID: String]) async throws -> SubmissionResult {
            try await session.confirm(try #require(try await session.submit(form, values: values)))
        }
        let refused = try #require(try await session.submit(form, values: ["mail": "ann", "pass": "wrong"]))
        #expect(try await session.withdraw(refused))
        await #expect(throws: AutofillError.self) { try await session.confirm(refused) }
        #expect(try await session.credential(for: Self.site, user: "ann") == nil)
        let first = try await submit(form, ["mail": "ann", "pass": "one"])
        #expect(first.outcome == .saved && first.isChanged && first.credential != nil)
        let again = try await submit(form, ["mail": "ann", "pass": "one"])
        #expect(again.outcome == .unchanged && !again.isChanged && again.credential == first.credential)
        let changed = try await submit(signIn(), ["mail": "ann", "pass": "two"])
        #expect(changed.outcome == .updated && changed.credential == first.credential)
        #expect(try await session.credential(for: Self.site, user: "ann")?.password == "two")
        #expect(try await session.submit(signIn(), values: ["mail": "ann"]) == nil)
        let signUp = AutofillForm(
            for: Self.site,
            fields: [FormField("mail", .username), FormField("new", .newPassword, isSecureTextEntry: true)])
        let offer = try #require(try await session.suggestions(for: signUp).strongPassword)
        let filled = try await session.fill(offer)
        let taken = try await submit(signUp, filled.values.merging(["mail": "bob"]) { $1 })
        #expect(taken.outcome == .saved)
        #expect(try await session.credential(for: Self.site, user: "bob")?.password == filled.password)
        #expect(try await session.pendingOffers().isEmpty)
    }

    @Test("The HTML attributes alone make a form a sign-up, and pattern and passwordrules apply to the password")
    func web() async throws {
        let daemon = try await TestDaemon()
        let session = try await daemon.session()
        let form = AutofillForm(
            for: Self.site,
            fields: [
                FormField("a", html: .init(type: "email", name: "email", label: "Adresse électronique")),
                FormField(
                    "b", maximumLength: 20,
                    html: .init(
                        type: "password", name: "password", pattern: "[A-Za-z0-9._]{8,64}",
                        passwordrules: "required: [._]; required: digit;")),
                FormField("c", html: .init(type: "password", name: "password2", placeholder: "Répétez")),
                FormField("d", html: .init(type: "text", name: "website", isHidden: true)),
            ])
        let suggestions = try await session.suggestions(for: form)
        #expect(suggestions.formKind == .signUp)
        let offer = try #require(suggestions.strongPassword)
        #expect(offer.fields == ["b", "c"] && offer.diagnostics.allSatisfy { !$0.contains("pattern") })
        let filled = try await session.fill(offer)
        #expect(filled.password.wholeMatch(of: #/(?=.*[0-9])(?=.*[._])[A-Za-z0-9._]{8,20}/#) != nil)
        var other = form
        other.fields[1].html?.pattern = "[A-Z][a-z0-9]{7,}"
        let passedOver = try #require(try await session.suggestions(for: other).strongPassword)
        #expect(passedOver.diagnostics.contains { $0.contains("pattern of b") })
    }

    @Test("An unfinished sign-up is found by another session of the app, and finished")
    func pendingOffers() async throws {
        let daemon = try await TestDaemon()
        let form = AutofillForm(
            for: Self.site,
            fields: [FormField("mail", .username), FormField("new", .newPassword, isSecureTextEntry: true)])
        let lost = try #require(try await daemon.session().suggestions(for: form).strongPassword)
        let session = try await daemon.session()
        let found = try #require(try await session.pendingOffers().first)
        #expect(found.offer == lost.offer && found.service == Self.site && found.formID == form.id)
        #expect(found.length == lost.length && found.expires == lost.expires)
        let filled = try await session.fill(found)
        #expect(filled.password.count == found.length && filled.values.isEmpty)
        let shown = try await session.fill(found, into: form)
        #expect(shown.values == ["new": filled.password])
        #expect(try await session.accept(found, user: "ann", interaction: .forbidden).isChanged)
        #expect(try await session.credential(for: Self.site)?.password == filled.password)
        #expect(try await session.pendingOffers().isEmpty)
    }

    @Test("An app reads the state of its associated domains, and has a site's file fetched again")
    func domains() async throws {
        let daemon = try await TestDaemon()
        let session = try await daemon.session()
        let domain = try #require(try await session.associatedDomains().first)
        #expect(domain.entry == "webcredentials:shop.example.com" && domain.site == "shop.example.com")
        #expect(try await session.associatedDomain("shop.example.com") == domain)
        // A test service without a fetcher needs no site association: each fetch fails at once.
        let asked = try await session.refreshAssociatedDomain("shop.example.com")
        #expect(asked.siteState == .notNeeded && asked.lastAttempt != nil && asked.validUntil == nil)
        #expect(asked.files.first?.failure == "unavailable" && asked.files.first?.listsApp == false)
        await #expect {
            try await session.associatedDomain("bank.example.com")
        } throws: { ($0 as? AutofillError)?.isRefused(for: .domainNotAssociated) == true }
    }

    @Test("A locked vault is reported, and there is no prompt if the app forbids it")
    func locked() async throws {
        let daemon = try await TestDaemon()
        let session = try await daemon.session()
        #expect(try await session.lockVault())
        #expect(try await !session.lockVault())
        await #expect {
            try await session.save(
                PasswordCredential(user: "ann", password: "one"), for: Self.site, interaction: .forbidden)
        } throws: { ($0 as? AutofillError)?.isRefused(for: .vaultLocked) == true }
        var item = KeychainPasswordItem(service: "notes", account: "ann", in: session)
        item.interaction = .forbidden
        do {
            try await item.savePassword("secret")
            Issue.record("saved in a locked vault")
        } catch {
            guard case .unhandledError(let why) = error else { throw error }
            #expect(why.isRefused(for: .vaultLocked))
        }
    }
}
