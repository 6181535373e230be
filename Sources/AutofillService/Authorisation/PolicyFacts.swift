// SPDX-License-Identifier: Apache-2.0
internal import AssociatedDomains
package import AutofillPolicy
internal import AutofillProtocol
internal import ConfigurationFiles
internal import Credentials
package import Forms
internal import PeerIdentity
internal import Reasons
internal import Settings

/// The facts of the policy, gathered from settings, registrations, peer and vault.
package struct PolicyFacts {
    private let settings: SettingsInForce
    private let apps: AppDirectory
    private let associations: SiteAssociations
    private let vault: VaultKeeper

    init(
        _ settings: SettingsInForce, _ apps: AppDirectory, _ associations: SiteAssociations, _ vault: VaultKeeper
    ) {
        (self.settings, self.apps, self.associations, self.vault) = (settings, apps, associations, vault)
    }

    package func facts(
        for request: RequestView, site: AutofillFacts.Site, form: FormAnalysis? = nil,
        rules: AutofillFacts.Rules? = nil, consent: AutofillFacts.Consent = .unknown
    ) -> AutofillFacts {
        let inForce = settings.effective
        let statements = statements(request, site)
        let app = request.app
        return AutofillFacts(
            app: app?.bundleID.text ?? "", settingsPath: settings.path,
            keychain: inForce.keychain, autoFill: inForce.autoFill,
            strongPasswords: app.map { inForce.offersStrongPasswords(to: $0.bundleID) } ?? false,
            identity: identity(of: app), declaration: declaration(of: app, site: site), site: site,
            siteStatement: statements?.site ?? .unknown("reported once the registration covers the domain"),
            userDecision: statements?.user ?? .unknown("reported once the registration covers the domain"),
            speakingSite: statements?.query.domain, form: form, rules: rules, consent: consent, vault: vault.fact)
    }

    /// nil where there is no registration that covers the site. Where the vault cannot be read, no statement counts.
    private func statements(_ request: RequestView, _ site: AutofillFacts.Site) -> AssociationStatements? {
        guard case .domain(let domain) = site, let name = try? DomainName(domain),
            let registration = apps.registration(of: request.app)
        else { return nil }
        do throws(Unsettled) {
            let statements = try associations.statements(registration, name, for: request.app?.subjects)
            let isAllowed: Bool
            do throws(Unsettled) {
                isAllowed = try request.isAllowed(.approval, Service(kind: .domain, value: name.text))
            } catch {
                // An app that is contradicted was allowed nothing.
                isAllowed = false
            }
            return isAllowed ? statements?.approvedOnce : statements
        } catch {
            guard let entry = registration.answers(for: name) else { return nil }
            let query = AssociationQuery(entry, of: registration)
            if case .waits = error {
                // The vault is leased; what needs it waits for its return, and reads it again.
                return AssociationStatements(
                    query: query, site: .unknown("the vault is at work"), user: .unknown("the vault is at work"))
            }
            return AssociationStatements(
                query: query, site: .failed("the vault could not be read"), user: .needed("the vault could not be read")
            )
        }
    }

    private func identity(of app: IdentifiedApp?) -> AutofillFacts.Identity {
        switch app?.identity {
        case .success(let identified):
            .consistent(assurance: identified.assurance.rawValue, grounds: identified.grounds)
        case .failure(let refusal): .contradicted(refusal.description)
        case nil: .notAsked
        }
    }

    private func declaration(of app: IdentifiedApp?, site: AutofillFacts.Site) -> AutofillFacts.Declaration {
        guard let app else { return .missing(searched: []) }
        if let registration = registration(of: app, for: site) {
            return AutofillFacts.Declaration(
                registration, for: site, isAdministrators: apps.isAdministrators(registration))
        }
        if case .failure(let problem)? = app.deployed {
            return .invalid(path: problem.file, mistakes: problem.mistakes.map(\.description))
        }
        let name = "/\(app.bundleID.text).json"
        if let problem = apps.catalog.problems.first(where: { $0.file.hasSuffix(name) }) {
            return .invalid(path: problem.file, mistakes: problem.mistakes.map(\.description))
        }
        return .missing(searched: apps.paths)
    }

    /// The entitlement by which the app asks for it: where it may ask for any service, the one that allows this.
    private func registration(of app: IdentifiedApp?, for site: AutofillFacts.Site) -> Registration? {
        let own = apps.registration(of: app)
        return switch site {
        case .domain, .unsupportedType, .unnamed: own
        case .url, .origin, .opaqueOrigin, .unnamedOfAny: apps.wideRegistration(of: app) ?? own
        }
    }
}
