// SPDX-License-Identifier: Apache-2.0
internal import AssociatedDomains
package import AutofillPolicy
internal import AutofillProtocol
internal import ConfigurationFiles
package import Credentials
internal import Reasons

/// Decides whether an app may be given, or change, what is saved: by settings, registration, site, the user's remembered decision,
/// or by asking the user. It reads, and makes the permits of releases.
package final class Access {
    let settings: SettingsInForce
    let apps: AppDirectory
    let grants: GrantReader
    let credentials: CredentialReader
    let questions: ConsentQuestions
    package let policy: PolicyFacts

    init(
        _ settings: SettingsInForce, _ apps: AppDirectory, _ grants: GrantReader, _ credentials: CredentialReader,
        _ questions: ConsentQuestions, _ policy: PolicyFacts
    ) {
        self.settings = settings
        self.apps = apps
        self.grants = grants
        self.credentials = credentials
        self.questions = questions
        self.policy = policy
    }

    // MARK: - Conditions

    /// Every condition but the grant; throws all that fail. A site that has not been asked yet is waited for, and so is the
    /// user, where their approval can replace the site's statement.
    package func examine(
        _ site: AutofillFacts.Site, for purpose: Examination.Purpose, _ request: RequestView
    ) throws(Unsettled) {
        let facts = policy.facts(for: request, site: site, consent: .granted(""))
        let examination = Examination(of: facts, for: purpose)
        if examination.isPermitted { return }
        try askSite(site, examination, mayWait: request.interaction == .allow, request)
        try askApproval(site, examination, request)
        throw Unsettled(examination.refusals)
    }

    /// The same for what is saved for a service.
    package func examine(
        _ service: Service, for purpose: Examination.Purpose, _ request: RequestView
    ) throws(Unsettled) { try examine(apps.site(of: service, request), for: purpose, request) }

    /// The examination of a suggestion, which waits for nothing: a site that has not been asked yet is asked meanwhile.
    package func examination(
        _ facts: AutofillFacts, for purpose: Examination.Purpose, _ request: RequestView
    ) throws(Unsettled) -> Examination {
        let examination = Examination(of: facts, for: purpose)
        try askSite(facts.site, examination, mayWait: false, request)
        return examination
    }

    /// Has the site asked whose statement is missing; throws that wait where the request may wait for it.
    private func askSite(
        _ site: AutofillFacts.Site, _ examination: Examination, mayWait: Bool, _ request: RequestView
    ) throws(Unsettled) {
        guard examination.refusals.contains(where: { $0.reason == .siteNotFetched }),
            let registration = apps.registration(of: request.app),
            case .domain(let domain) = site, let name = try? DomainName(domain),
            let entry = registration.answers(for: name)
        else { return }
        let query = AssociationQuery(entry, of: registration)
        // What fails for other reasons need not wait.
        let isAlone = examination.refusals.allSatisfy { [.siteNotFetched, .approvalMissing].contains($0.reason) }
        guard mayWait, isAlone else { return request.noteFetch(query, registration.bundleID) }
        throw .waits(for: .association(query, registration.bundleID))
    }

    /// Throws what asks the user for approval, where that alone is missing: the site could not be asked, or the registration is a
    /// developer's. Against what a site states only `autofillctl domain approve` helps.
    private func askApproval(
        _ site: AutofillFacts.Site, _ examination: Examination, _ request: RequestView
    ) throws(Unsettled) {
        guard request.interaction == .allow, case .domain(let domain) = site,
            let refusal = examination.refusals.first,
            examination.refusals.allSatisfy({ [.approvalMissing, .siteFetchFailed].contains($0.reason) })
        else { return }
        throw try questions.asking(
            .approval, request, Service(kind: .domain, value: domain), detail: refusal.parameters[.detail] ?? "",
            unasked: refusal)
    }

    // MARK: - Releases

    /// To what is saved for a service, or for one that shares its accounts with the app's own, asking the user where that is
    /// possible. The order of the checks keeps an app without a grant from learning whether anything is saved.
    ///
    /// The user's consent is for that very service either way: which sites share accounts is read from a file that any program
    /// of the user can write.
    package func toAccess(
        _ field: CredentialField, of service: Service, _ request: RequestView
    ) throws(Unsettled) -> Permit {
        if request.isProven { return Permit(service, .granted(nil)) }
        if let decided = grants.decided(service, request) { return Permit(service, .granted(decided)) }
        return try Permit(service, authorise(field, of: service, request))
    }

    private func authorise(
        _ field: CredentialField, of service: Service, _ request: RequestView
    ) throws(Unsettled) -> Authorisation {
        if grants.isDecidedOwn(field, of: service, request) { return .ownOnly }
        let site = try accessedBy(service, request)
        try examine(site, for: .savedCredential, request)
        if site != service { return try authorise(service, by: site, request) }
        if let grant = try grants.allowing(service, request) { return .granted(grant) }
        guard try ownsAny(field, of: service, request) else { return .granted(try ask(service, request)) }
        grants.keepOwn(field, of: service, request)
        return .ownOnly
    }

    /// A remembered no for either holds. What is decided here is not kept: it gives no right to change anything there.
    private func authorise(
        _ service: Service, by site: Service, _ request: RequestView
    ) throws(Unsettled) -> Authorisation {
        var grant: Grant?
        for named in [site, service] {
            grant = try grants.remembered(named, request)
            guard grant?.decision != .deny else {
                throw Unsettled(.grantDenied, [.app: try request.subject().app, .domain: named.asArgument])
            }
        }
        if let grant, !settings.asksEveryTime { return .granted(grant.id) }
        return .granted(try ask(service, request))
    }

    /// To the offer of this app, which is its own.
    package func toAccess(_ offer: Sealed<Offer>, _ request: RequestView) throws(Unsettled) -> Permit {
        if !request.isProven { try examine(offer.service, for: .save, request) }
        return Permit(offer.service, .ownOnly)
    }

    /// To a code that came in: it is nobody's own, and needs the user's consent as what is saved does.
    package func toAccess(_ code: Sealed<IncomingCode>, _ request: RequestView) throws(Unsettled) -> Permit {
        let service = code.service
        if request.isProven { return Permit(service, .granted(nil)) }
        try examine(service, for: .savedCredential, request)
        let grant = if let grant = try grants.allowing(service, request) { grant } else { try ask(service, request) }
        return Permit(service, .granted(grant))
    }

    /// To the codes' secret of any credential: only with proof.
    package func toExport(_ service: Service, _ request: RequestView) throws(Unsettled) -> Permit {
        guard request.isProven else { throw Unsettled(.proofRequired) }
        return Permit(service, .granted(nil))
    }

    // MARK: - Services

    /// The service by which the app accesses what is saved for another: that one itself, where the app is associated with
    /// it; else the app's own one at which its accounts are valid too, one that the user allowed before others.
    private func accessedBy(_ service: Service, _ request: RequestView) throws(Unsettled) -> Service {
        guard service.kind == .domain, !apps.accessesAsWeb(service, request.app),
            let registration = apps.registration(of: request.app)
        else { return service }
        let partners = apps.partners(of: service, in: registration)
        for partner in partners where try grants.remembered(partner, request)?.decision == .allow { return partner }
        return partners.first ?? service
    }

    /// Whether the app's registration names the service, or one that shares its accounts with it, or lets it ask for any; or the
    /// request has proof.
    package func mayAccess(_ service: Service, _ request: RequestView) throws(Unsettled) -> Bool {
        if request.isProven { return true }
        if let wide = apps.wideRegistration(of: request.app) {
            if service.kind == .url { return wide.entitlements.isCredentialHelper }
            if service.kind == .origin || apps.accessesAsWeb(service, request.app) { return true }
        }
        let site = try accessedBy(service, request)
        guard let name = try? DomainName(site.value) else { return false }
        return apps.registration(of: request.app)?.answers(for: name) != nil
    }

    /// The service of a credential by which a request accesses it, one that the user allowed before others, and one that they
    /// denied last; nil where it may not.
    package func service(of found: Sealed<Credential>, _ request: RequestView) throws(Unsettled) -> Service? {
        if request.isProven { return found.service }
        var accessible: [Service] = []
        for service in found.services.map(\.service) where service.kind.isOfSites {
            if try mayAccess(service, request) { accessible.append(service) }
        }
        guard accessible.count > 1 else { return accessible.first }
        var undecided: Service?
        for service in accessible {
            switch try grants.remembered(service, request)?.decision {
            case .allow: return service
            case .deny: continue
            case nil: undecided = undecided ?? service
            }
        }
        return undecided ?? accessible.first
    }

    /// Whether something of a service is the connection's own. One that cannot be read is not.
    func ownsAny(
        _ field: CredentialField, of service: Service, _ request: RequestView
    ) throws(Unsettled) -> Bool {
        guard let written = request.written(for: service) else { return false }
        for id in written {
            if let version = try credentials.version(of: id), request.owns(field, of: id, version) { return true }
        }
        return false
    }

    // MARK: - The user

    /// The user's remembered decision about a service.
    package func remembered(_ service: Service, _ request: RequestView) throws(Unsettled) -> Grant? {
        try grants.remembered(service, request)
    }

    /// Asks the user, unless they have just allowed this request; then nil, for consent that is not remembered.
    func ask(
        _ service: Service, _ request: RequestView, item: ObjectID? = nil, detail: String = ""
    ) throws(Unsettled) -> ObjectID? {
        let service = apps.granted(service, request.app)
        if try request.isAllowed(.fill, service) { return nil }
        let names = self.names(try request.subject().app, service.asArgument, request)
        if request.interaction == .forbid { throw Unsettled(.interactionRequired, names) }
        throw try questions.asking(
            .fill, request, service, item: item, detail: detail, unasked: Refusal(.grantMissing, names))
    }

    /// What a refusal for want of consent names: the program too, where `autofillctl grant allow` takes its path.
    func names(_ app: String, _ service: String, _ request: RequestView) -> [Refusal.Parameter: String] {
        var names: [Refusal.Parameter: String] = [.app: app, .domain: service]
        if request.isOfSecretService { names[.path] = request.app?.grantees.path }
        return names
    }
}
