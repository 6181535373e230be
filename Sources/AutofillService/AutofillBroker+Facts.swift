// SPDX-License-Identifier: Apache-2.0
internal import AssociatedDomains
internal import AutofillPolicy
internal import AutofillProtocol
internal import ConfigurationFiles
internal import Credentials
internal import Forms
internal import PeerIdentity
internal import Reasons
internal import Settings

/// What the policy looks at, gathered from settings, registrations, peer and vault.
extension AutofillBroker {
    func facts(
        for client: Client, site: AutofillFacts.Site, form: FormAnalysis? = nil, rules: AutofillFacts.Rules? = nil,
        consent: AutofillFacts.Consent = .unknown
    ) -> AutofillFacts {
        let settings = configuration.settings
        let words = words(client, site)
        return AutofillFacts(
            app: client.app?.bundleID.text ?? "", settingsPath: configuration.settingsPath,
            keychain: settings.keychain, autoFill: settings.autoFill,
            strongPasswords: client.app.map { settings.offersStrongPasswords(to: $0.bundleID) } ?? false,
            identity: identityFact(of: client), declaration: declaration(of: client, site: site), site: site,
            siteWord: words?.site ?? .unknown("told once the registration covers the domain"),
            userWord: words?.user ?? .unknown("told once the registration covers the domain"),
            speakingSite: words?.query.domain, form: form, rules: rules, consent: consent, vault: vault.fact)
    }

    /// nil where there is no registration that covers the site. Where the vault cannot be read nothing counts as said.
    private func words(_ client: Client, _ site: AutofillFacts.Site) -> AssociationWords? {
        guard case .domain(let domain) = site, let name = try? DomainName(domain),
            let registration = registration(of: client)
        else { return nil }
        do throws(RefusedRequest) {
            let words = try words(registration, name, for: client.app?.subject)
            let isAllowed = client.allowedOnce.contains(Allowance(.approval, Service(kind: .domain, value: name.text)))
            return isAllowed ? words?.approvedOnce : words
        } catch {
            guard let entry = registration.answers(for: name) else { return nil }
            if case .waits = error {
                // The vault is lent; what needs it waits for its return, and looks again.
                return AssociationWords(
                    query: AssociationQuery(entry, of: registration), site: .unknown("the vault is at work"),
                    user: .unknown("the vault is at work"))
            }
            return AssociationWords(
                query: AssociationQuery(entry, of: registration), site: .failed("the vault could not be read"),
                user: .needed("the vault could not be read"))
        }
    }

    private func identityFact(of client: Client) -> AutofillFacts.Identity {
        switch client.app?.identity {
        case .success(let identified):
            .consistent(assurance: identified.assurance.rawValue, grounds: identified.grounds)
        case .failure(let refusal): .contradicted(refusal.description)
        case nil: .notAsked
        }
    }

    private func declaration(of client: Client, site: AutofillFacts.Site) -> AutofillFacts.Declaration {
        let catalog = configuration.registrations.catalog
        guard let app = client.app else { return .missing(searched: []) }
        if let registration = registration(of: client) {
            return AutofillFacts.Declaration(registration, for: site)
        }
        if case .failure(let problem)? = app.deployed {
            return .invalid(path: problem.file, mistakes: problem.mistakes.map(\.description))
        }
        let name = "/\(app.bundleID.text).json"
        if let problem = catalog.problems.first(where: { $0.file.hasSuffix(name) }) {
            return .invalid(path: problem.file, mistakes: problem.mistakes.map(\.description))
        }
        return .missing(searched: configuration.registrationPaths)
    }

    /// The service of a request in canonical form.
    func site(
        _ service: ServiceIdentifier, member: String = "service"
    ) throws(RefusedRequest) -> (fact: AutofillFacts.Site, service: Service?) {
        guard service.type == Service.Kind.domain.rawValue else {
            guard Service.Kind(rawValue: service.type) != nil else {
                throw .invalid("\(member).type", "domain, url or origin")
            }
            return (.unsupportedType(service.type), nil)
        }
        // Equal as strings is not yet equal: a letter that is only equivalent to an ASCII one takes more bytes.
        if let known = knownDomains[service.value], known.value.utf8.count == service.value.utf8.count {
            namedDomain = known.value
            return (.domain(known.value), known)
        }
        do throws(DomainNameError) {
            let name = try DomainName(service.value)
            let domain = Service(kind: .domain, value: name.text)
            if knownDomains.count >= 256 { knownDomains.removeAll() }
            knownDomains[service.value] = domain
            namedDomain = name.text
            return (.domain(name.text), domain)
        } catch {
            throw .invalid("\(member).value", "\(error.reason) \(error.fix)")
        }
    }

    /// The service of a request, where only a domain will do.
    func domain(_ service: ServiceIdentifier) throws(RefusedRequest) -> Service {
        guard let service = try site(service).service else { throw RefusedRequest(.serviceTypeUnsupported) }
        return service
    }
}
