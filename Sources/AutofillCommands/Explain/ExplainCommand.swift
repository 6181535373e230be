// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import AssociatedDomains
import AutofillClient
import AutofillPolicy
import AutofillProtocol
import ConfigurationFiles
import Glibc
import Settings

struct ExplainCommand: Subcommand {
    static let configuration = CommandConfiguration(
        commandName: "explain", abstract: "Shows why AutoFill works or fails for an app.",
        // With so many options ArgumentParser's usage line lists none of them; the same for other commands.
        usage: """
            autofillctl explain <bundle-id> [--domain <domain>] [--origin <origin>] [--url <text>] [--settings <file>] \
            [--registrations <dir> ...] [proof options] [common options]
            """,
        discussion: """
            Reads the registrations and the settings itself, so it works without the service, and then prints what it \
            could not check. Of a service that was started with --registrations or --settings, give the same options here. \
            Grants are shown only with proof: the passphrase, which is asked for at a terminal, unless it was typed there \
            before. Exit status 1: a condition does not hold, or for a missing grant was not checked.

            Examples:
              autofillctl explain org.example.Shop --domain shop.example.com
              autofillctl explain org.example.Browser --origin https://example.com
            """)

    @Argument(help: ArgumentHelp("The app.", valueName: "bundle-id"))
    var bundleID: String

    @Option(help: "The site that the app fills for.")
    var domain: String?

    @Option(help: "Instead of --domain: the origin of a browser's page, https://example.com.")
    var origin: String?

    @Option(help: ArgumentHelp("Instead of --domain: the string that a credential helper received.", valueName: "text"))
    var url: String?

    @Option(help: ArgumentHelp("The settings ($XDG_CONFIG_HOME/autofilld/settings.json).", valueName: "file"))
    var settings: String?

    @OptionGroup var registrations: RegistrationOptions
    @OptionGroup(title: "Proof Options") var proof: ProofOptions
    @OptionGroup(title: "Common Options") var service: ServiceOptions
    @OptionGroup(title: "Common Options") var format: FormatOptions

    func perform(_ console: Console) async throws(CommandFailure) {
        let app = try BundleIdentifier(argument: bundleID)
        let (site, service) = try named()
        let name: DomainName? = if case .domain(let text) = site { try? DomainName(text) } else { nil }
        let path = try settingsPath()
        let values = try Self.settings(at: path)
        var facts = AutofillFacts(
            app: app.text, settingsPath: path, keychain: values.keychain, autoFill: values.autoFill,
            strongPasswords: values.offersStrongPasswords(to: app), identity: .notAsked,
            declaration: try declaration(of: app, for: site), site: site,
            siteStatement: .unknown(Self.shownWithProof), userDecision: .unknown(Self.shownWithProof),
            consent: .unknown,
            vault: .unlocked)
        var unavailable: CommandFailure.Problem?
        do throws(CommandFailure) {
            try await ask(&facts, for: name, service)
        } catch  where error.status == .unavailable {
            unavailable = error.problems.first
        }
        let explanation = Explanation(
            facts, isConsentRead: facts.consent != .unknown, unavailable: unavailable, meant: meant(facts))
        if format.json {
            console.print { explanation.write(to: &$0) }
        } else {
            for line in explanation.lines(console) { console.print(line) }
        }
        // All conditions are printed; only the exit status is left.
        if explanation.conditions.contains(where: { $0.isHeld == false }) { throw CommandFailure(.refused, []) }
    }

    private static let shownWithProof =
        "shown by the service with proof: add --key-file PATH, --recovery-key or --prompt"

    private func settingsPath() throws(CommandFailure) -> String {
        if let settings { return settings }
        return try standardPath { paths throws(StandardPathsError) in try paths.settings }
    }

    /// The facts that only the service has.
    private func ask(
        _ facts: inout AutofillFacts, for domain: DomainName?, _ granted: ServiceIdentifier?
    ) async throws(CommandFailure) {
        let session = try await service.session()
        facts.vault =
            switch session.greeting.vault {
            case .unlocked: .unlocked
            case .locked: .locked
            case .missing, nil: .missing
            case .unusable(let code): .unusable(code.rawValue)
            }
        guard let granted, facts.vault == .unlocked, let proof = try await givenProof(session) else { return }
        if let domain, case .present(let declared) = facts.declaration, declared.coveringEntry != nil {
            facts.add(try await session.call(DomainGet(bundleID: facts.app, domain: .name(domain.text), proof: proof)))
        }
        let grants = try await session.allGrants(with: proof)
            .filter { $0.bundleID == facts.app && $0.service == granted }
        if grants.contains(where: { $0.decision == "deny" }) {
            facts.consent = .denied
        } else if let grant = grants.first {
            facts.consent = .granted("grant \(grant.grant) of \(grant.created.minute)")
        } else {
            facts.consent = .missing
        }
    }

    /// The proof, unless the user does not give it: then the grants are not shown.
    private func givenProof(_ session: AutofillSession) async throws(CommandFailure) -> Proof? {
        if !proof.isNamed, format.json || !Terminal.isThere { return nil }
        do throws(CommandFailure) { return try await proof.proof(session) } catch {
            guard !proof.isNamed, [.usage, .refused].contains(error.status) else { throw error }
            return nil
        }
    }

    /// The command for what was probably meant: a registered app, or a domain of the app.
    private func meant(_ facts: AutofillFacts) -> String? {
        switch facts.declaration {
        case .missing:
            let apps = (try? registrations.catalog().registrations.map(\.bundleID.text)) ?? []
            return bundleID.nearest(of: apps).map { CommandLineFix.fix(bundleID, $0) }
        case .present(let declared):
            guard let domain, declared.coveringEntry == nil else { return nil }
            let domains = declared.associatedDomains.map { entry in
                String(entry.dropFirst("webcredentials:".count).prefix { $0 != "?" })
            }.filter { !$0.hasPrefix("*") }
            return (domain.nearest(of: domains) ?? (domains.count == 1 ? domains[0] : nil))
                .map { CommandLineFix.fix(domain, $0) }
        default: return nil
        }
    }

    /// The site, and the service that a grant for it names.
    private func named() throws(CommandFailure) -> (AutofillFacts.Site, ServiceIdentifier?) {
        if [domain, origin, url].compactMap(\.self).count > 1 {
            throw CommandFailure(.usage, "Give only one of --domain, --origin and --url.")
        }
        if let url { return (.url(url), ServiceIdentifier(type: "url", value: url)) }
        if let domain {
            let name = try DomainName(argument: domain)
            return (.domain(name.text), ServiceIdentifier(name))
        }
        guard let origin else { return (.unnamed, nil) }
        do throws(WebOriginError) {
            let page = try WebOrigin(origin)
            let site = page.securedName.flatMap { PublicSuffixList.installed()?.registrableDomain(of: $0) }
            return (
                .origin(page), site.map { ServiceIdentifier($0) } ?? ServiceIdentifier(type: "origin", value: page.text)
            )
        } catch {
            if error == .opaque || error == .notWeb { return (.opaqueOrigin(origin), nil) }
            throw CommandFailure(.usage, error.reason, fix: error.fix)
        }
    }

    private func declaration(
        of app: BundleIdentifier, for site: AutofillFacts.Site
    ) throws(CommandFailure) -> AutofillFacts.Declaration {
        let catalog = try registrations.catalog()
        if let registration = catalog[app] {
            return AutofillFacts.Declaration(
                registration, for: site, isAdministrators: registration.origin.owner == .root)
        }
        if let problem = catalog.problems.first(where: { $0.file.hasSuffix("/\(app.text).json") }) {
            return .invalid(path: problem.file, mistakes: problem.mistakes.map(\.description))
        }
        return .missing(searched: try registrations.directories())
    }

    private static func settings(at path: String) throws(CommandFailure) -> DaemonSettings {
        do throws(ConfigurationFileProblem) {
            return try SettingsFiles(administrator: StandardPaths.systemSettings, user: path, userID: geteuid()).load()
                .effective
        } catch {
            throw CommandFailure(error)
        }
    }
}

extension AutofillFacts {
    /// Adds the facts of a report about the app and the domain.
    fileprivate mutating func add(_ report: DomainReport) {
        speakingSite = report.site
        siteStatement =
            switch DomainReport.SiteState(rawValue: report.siteState) {
            case .approved: .approved(report.siteEvidence)
            case .notNeeded: .notNeeded(report.siteEvidence)
            case .notListing: .notListing(report.siteEvidence)
            case .failed: .failed(report.siteEvidence)
            case .notFetched: .notFetched(report.siteEvidence)
            case nil: .unknown(report.siteEvidence)
            }
        userDecision =
            switch DomainReport.UserState(rawValue: report.userState) {
            case .approved: .approved(report.userEvidence)
            case .denied: .denied(report.userEvidence)
            case .silent: .silent
            case .needed: .needed(report.userEvidence)
            case nil: .unknown(report.userEvidence)
            }
    }
}
