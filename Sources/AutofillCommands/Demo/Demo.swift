// SPDX-License-Identifier: Apache-2.0
import AutofillClient
import AutofillProtocol
import DaemonSocket
import PasswordRules
import Reasons
import SecretMemory

/// The main function of autofilld, from end to end, with a real daemon.
struct Demo {
    let site: DemoSite
    let executable: String
    let printer: DemoPrinter

    private static let shop = "org.example.Shop"
    private static let stranger = "org.example.NotSetUp"
    private static let domain = CredentialServiceIdentifier.domain("shop.example.com")
    private static let bank = CredentialServiceIdentifier.domain("bank.example.com")
    private static let bankRules = "required: upper; required: digit; maxlength: 14"
    private static let user = "jo@example.com"

    func run() async throws(CommandFailure) {
        let start = ContinuousClock.now
        printer.explain(
            """
            A real autofilld with a temporary vault (\(site.directory)); → is what an app sends, ← what it \
            receives\(printer.style == .short ? "; --full shows all of it" : "").
            """)
        try prepare()
        try await site.startDaemon()
        let key = try await makeVault()
        let saved = try await signUp()
        try await restart()
        try await readBack(saved, with: key)
        try await explainToStranger()
        printer.explain(
            "Done in \(start.duration(to: .now).seconds) s: strong passwords, saved in the same step, survived kill -9; the "
                + "app that is not set up got the reason and the fix.", .green)
    }

    private func prepare() throws(CommandFailure) {
        printer.begin("1. Two apps are registered, one of them without an associated domain.")
        let entitlement = "\"com.apple.developer.authentication-services.autofill-credential-provider\": true"
        let names = [Self.domain, Self.bank].map { "\"webcredentials:\($0.identifier)\"" }.joined(separator: ", ")
        let domains = "\"com.apple.developer.associated-domains\": [\(names)]"
        try register(Self.shop, "Example Shop", "\(entitlement), \(domains)")
        try register(Self.stranger, "Not Set Up", entitlement)
        printer.begin("2. The daemon starts\(printer.style == .short ? "." : ":")")
        printer.detail("\(executable) \(site.arguments.joined(separator: " "))")
    }

    private func register(_ bundleID: String, _ name: String, _ entitlements: String) throws(CommandFailure) {
        let executables = DaemonProgram.own.map { "\"executables\": [\(Self.json($0))], " } ?? ""
        let json =
            "{\"bundleID\": \"\(bundleID)\", \"name\": \"\(name)\", \(executables)\"entitlements\": {\(entitlements)}}"
        try site.register(bundleID, json)
        printer.detail(json)
    }

    private func makeVault() async throws(CommandFailure) -> SecretBytes {
        printer.begin("3. autofillctl vault create, and domain approve instead of two sites.")
        let key = try KeyFile.readOrCreate(site.keyFile).bytes
        let session = try await connect(ServiceOptions.bundleID, printer.ownTranscript)
        _ = try await session.call(VaultCreate(secrets: [.key(key)]))
        for service in [Self.domain, Self.bank] {
            _ = try await session.call(
                DomainApprove(bundleID: Self.shop, domain: .name(service.identifier), proof: .key(key)))
        }
        return key
    }

    /// Strong passwords are suggested, filled and accepted: Apple's form if the site has no rules, and one that meets
    /// rules.
    private func signUp() async throws(CommandFailure) -> PasswordCredential {
        printer.begin("4. \(Self.shop) signs up at \(Self.domain.identifier), which has no rules.")
        let session = try await connect(Self.shop, printer.transcript)
        let saved = try await signUp(at: Self.domain, nil, session)
        guard saved.password.split(separator: "-").map(\.count) == [6, 6, 6] else {
            throw differs("the password does not have Apple's form xxxxxx-xxxxxx-xxxxxx")
        }
        let back = try await expecting { () async throws(AutofillError) in
            try await session.credential(for: Self.domain)
        }
        guard back == saved else {
            throw differs("the password read back on the same connection differs from the filled one")
        }
        printer.journal(site.journal()) { $0.contains("Filled a strong password") }
        printer.begin("5. At \(Self.bank.identifier), with \(Self.bankRules)")
        let ruled = try await signUp(at: Self.bank, Self.bankRules, session)
        guard let rules = try? PasswordRules(descriptor: Self.bankRules), rules.violations(in: ruled.password).isEmpty
        else { throw differs("the password does not meet the site's rules") }
        return saved
    }

    private func signUp(
        at service: CredentialServiceIdentifier, _ descriptor: String?, _ session: AutofillSession
    ) async throws(CommandFailure) -> PasswordCredential {
        let rules = descriptor.flatMap { try? PasswordRules(descriptor: $0) }
        let fields = [
            FormField("mail", .username, keyboardType: .emailAddress),
            FormField("pass", .newPassword, isSecureTextEntry: true, passwordRules: rules),
            FormField("again", .newPassword, isSecureTextEntry: true),
        ]
        let form = AutofillForm(for: service, fields: fields)
        let suggestions = try await expecting { () async throws(AutofillError) in
            try await session.suggestions(for: form)
        }
        guard let offer = suggestions.strongPassword else {
            throw differs("no strong password was offered: \(suggestions.strongPasswordWithheld.map(\.code.rawValue))")
        }
        let filled = try await expecting { () async throws(AutofillError) in try await session.fill(offer) }
        guard filled.values == ["pass": filled.password, "again": filled.password],
            filled.password.count == offer.length
        else { throw differs("the two fields did not get the same password of \(offer.length) characters") }
        _ = try await expecting { () async throws(AutofillError) in try await session.accept(offer, user: Self.user) }
        return PasswordCredential(user: Self.user, password: filled.password)
    }

    private func restart() async throws(CommandFailure) {
        printer.journal(site.journal()) { _ in false }
        printer.begin("6. kill -9, and the daemon starts again; its key file opens the vault.")
        site.killDaemon()
        try await site.startDaemon()
    }

    /// First refused, because there is no grant; then, with a grant, equal to the saved credential.
    private func readBack(_ saved: PasswordCredential, with key: SecretBytes) async throws(CommandFailure) {
        printer.begin("7. It connects again, as any program could: without consent it gets nothing.")
        let session = try await connect(Self.shop, printer.transcript)
        do throws(AutofillError) {
            _ = try await session.credential(for: Self.domain, interaction: .forbidden)
            throw .cancelled
        } catch {
            guard error.isRefused(for: .interactionRequired) else {
                throw differs("a credential was not refused without a grant: \(error)")
            }
        }
        printer.begin("8. autofillctl grant allow \(Self.shop) \(Self.domain.identifier)")
        let user = try await connect(ServiceOptions.bundleID, printer.ownTranscript)
        _ = try await user.call(
            GrantAllow(
                bundleID: Self.shop, service: ServiceIdentifier(type: "domain", value: Self.domain.identifier),
                proof: .key(key)))
        printer.begin("9. \(Self.shop) repeats the request.")
        let again = try await expecting { () async throws(AutofillError) in
            try await session.credential(for: Self.domain, interaction: .forbidden)
        }
        guard again == saved else { throw differs("the credential after kill -9 differs from the saved one") }
        printer.journal(site.journal()) { _ in false }
    }

    /// An app without an associated domain gets the reason, and the journal Apple's line.
    private func explainToStranger() async throws(CommandFailure) {
        printer.begin("10. \(Self.stranger) sends the same request. It has no associated domain.")
        let session = try await connect(Self.stranger, printer.transcript)
        let form = AutofillForm(
            for: Self.domain,
            fields: [FormField("mail", .username), FormField("pass", .newPassword, isSecureTextEntry: true)])
        let suggestions = try await expecting { () async throws(AutofillError) in
            try await session.suggestions(for: form)
        }
        guard suggestions.strongPassword == nil, let reason = suggestions.strongPasswordWithheld.first,
            reason.code == .associatedDomainsMissing
        else { throw differs("the app that is not set up did not get the reason associated-domains-missing") }
        let line = Refusal.journalLine(.associatedDomainsMissing, app: Self.stranger)
        let journal = site.journal { $0.contains(line) }
        printer.journal(journal) { $0.contains(line) }
        guard journal.contains(where: { $0.contains(line) }) else {
            throw differs("the journal did not get the line: \(line)")
        }
        printer.explain("Fix: \(reason.fix)", .bold)
    }

    private func connect(
        _ bundleID: String, _ transcript: @escaping Transcript
    ) async throws(CommandFailure) -> AutofillSession {
        // The service must inspect this process like any app.
        ProcessSecrecy.allowInspection()
        return try await expecting { () async throws(AutofillError) in
            try await AutofillSession.connect(
                bundleID: bundleID, to: .ofThisProcess(path: site.socket), transcript: transcript)
        }
    }

    private func expecting<Result>(
        _ body: () async throws(AutofillError) -> Result
    ) async throws(CommandFailure) -> Result {
        do throws(AutofillError) {
            return try await body()
        } catch {
            printer.journal(site.journal())
            throw CommandFailure(.refused, CommandFailure(error).problems)
        }
    }

    /// A JSON string, in quotes.
    private static func json(_ text: String) -> String {
        var writer = JSONWriter()
        writer.string(text)
        return writer.withUnsafeBytes { String(decoding: $0, as: UTF8.self) }
    }

    private func differs(_ text: String) -> CommandFailure {
        CommandFailure(
            .refused, "The demo failed: \(text)", fix: "Report it with the output above")
    }
}

extension Duration {
    /// In seconds, to two decimals.
    fileprivate var seconds: String {
        let hundredths = Int((self / .milliseconds(10)).rounded())
        return "\(hundredths / 100).\(hundredths % 100 < 10 ? "0" : "")\(hundredths % 100)"
    }
}
