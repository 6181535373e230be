// SPDX-License-Identifier: Apache-2.0
internal import AssociatedDomains
internal import AutofillPolicy
internal import AutofillProtocol
internal import CredentialStorage
internal import Credentials
internal import PeerIdentity
internal import Reasons

/// What the client may see of a service.
enum Authorisation {
    /// Under this grant, or this once.
    case granted(ObjectID?)
    /// Only what this connection made or saved itself.
    case ownOnly
}

/// Decides whether an app may be given, or change, what is saved: by settings, registration, site, the person's remembered word, or
/// by asking them.
final class Authoriser {
    let settings: SettingsInForce
    let apps: AppDirectory
    let vault: VaultKeeper
    let associations: SiteAssociations
    let prompts: PromptDesk
    let surroundings: Surroundings
    var browserWords = BrowserWords()

    init(
        _ settings: SettingsInForce, _ apps: AppDirectory, _ vault: VaultKeeper, _ associations: SiteAssociations,
        _ prompts: PromptDesk, _ surroundings: Surroundings
    ) {
        self.settings = settings
        self.apps = apps
        self.vault = vault
        self.associations = associations
        self.prompts = prompts
        self.surroundings = surroundings
    }

    var clock: ServiceClock { surroundings.clock }
    var revision: PolicyRevision { surroundings.revision }

    /// Every condition but the grant; throws all that fail. A site that has not been asked yet is waited for, and so is
    /// the person, where their word can stand in its place.
    func examine(
        _ request: RequestContext, _ site: AutofillFacts.Site, for purpose: Examination.Purpose,
        consent: AutofillFacts.Consent = .granted("")
    ) throws(RefusedRequest) {
        let examination = Examination(of: facts(for: request, site: site, consent: consent), for: purpose)
        if examination.isPermitted { return }
        try askSite(request, site, examination, mayWait: request.interaction == .allow)
        try askApproval(request, site, examination)
        throw RefusedRequest(examination.refusals)
    }

    /// The same for what is saved for a service.
    func examine(
        _ request: RequestContext, _ service: Service, for purpose: Examination.Purpose
    ) throws(RefusedRequest) {
        try examine(request, apps.site(of: service, request), for: purpose)
    }

    /// Decides about a release, asking the person where that is possible. The order of the checks keeps an app without a
    /// grant from learning whether anything is saved.
    func authorise(_ request: RequestContext, for service: Service) throws(RefusedRequest) -> Authorisation {
        if let decided = decided(request.session, service) { return .granted(decided) }
        try examine(request, service, for: .savedCredential)
        if let grant = try standing(request.session, service) { return .granted(grant) }
        if try ownsAny(.password, of: service, request.session) { return .ownOnly }
        return .granted(try ask(request, service))
    }

    /// Decides about a release of what is saved for a service, or for one that shares its accounts with the app's own.
    ///
    /// The person's word is for that very service either way: what sites share is told by a file that any program of the
    /// user can write.
    func authorise(
        _ request: RequestContext, toReach part: CredentialPart, of service: Service
    ) throws(RefusedRequest) -> Authorisation {
        if let decided = decided(request.session, service) { return .granted(decided) }
        let site = try reach(of: request.session, to: service)
        try examine(request, site, for: .savedCredential)
        if site != service { return try authorise(request, toReach: service, by: site) }
        if let grant = try standing(request.session, service) { return .granted(grant) }
        if try ownsAny(part, of: service, request.session) { return .ownOnly }
        return .granted(try ask(request, service))
    }

    /// A remembered no for either holds. What is decided here is not kept: it gives no right to change anything there.
    private func authorise(
        _ request: RequestContext, toReach service: Service, by site: Service
    ) throws(RefusedRequest) -> Authorisation {
        var grant: Grant?
        for named in [site, service] {
            grant = try remembered(request.session, named)
            guard grant?.decision != .deny else {
                throw RefusedRequest(
                    .grantDenied, [.app: try request.session.subject().app, .domain: named.asArgument])
            }
        }
        if let grant, !settings.asksEveryTime { return .granted(grant.id) }
        return .granted(try ask(request, service))
    }

    /// The service by which the app reaches what is saved for another: that one itself, where the app is associated with
    /// it; else the app's own one at which its accounts hold too, one that the person allowed before others.
    private func reach(of session: Session, to service: Service) throws(RefusedRequest) -> Service {
        guard service.kind == .domain, !apps.reachesAsWeb(service, session),
            let registration = apps.registration(of: session)
        else { return service }
        let partners = apps.partners(of: service, in: registration)
        for partner in partners where try remembered(session, partner)?.decision == .allow { return partner }
        return partners.first ?? service
    }

    /// Whether the app's registration names the service, or one that shares its accounts with it, or lets it ask for any; or the
    /// request has proof.
    func reaches(_ service: Service, _ request: RequestContext) throws(RefusedRequest) -> Bool {
        if request.isProven { return true }
        if let wide = apps.wideRegistration(of: request.session) {
            if service.kind == .url { return wide.entitlements.isCredentialHelper }
            if service.kind == .origin || apps.reachesAsWeb(service, request.session) { return true }
        }
        let site = try reach(of: request.session, to: service)
        guard let name = try? DomainName(site.value) else { return false }
        return apps.registration(of: request.session)?.answers(for: name) != nil
    }

    /// By which of a credential's services a request reaches it; nil by none.
    func reached(_ credential: Credential, _ request: RequestContext) throws(RefusedRequest) -> Service? {
        if request.isProven { return credential.service }
        for service in credential.services.map(\.service) where service.kind.isOfSites {
            if try reaches(service, request) { return service }
        }
        return nil
    }

    /// A code that came in is nobody's own: it takes the person's word, like what is saved.
    func authoriseIncoming(_ request: RequestContext, for service: Service) throws(RefusedRequest) -> Authorisation {
        try examine(request, service, for: .savedCredential)
        if let grant = try standing(request.session, service) { return .granted(grant) }
        return .granted(try ask(request, service))
    }

    /// Whether something of a service is the app's own. One that cannot be read is not.
    func ownsAny(
        _ part: CredentialPart, of service: Service, _ session: Session
    ) throws(RefusedRequest) -> Bool {
        guard let written = session.memory.ownership.written[service] else { return false }
        let open = try vault.unlocked()
        return written.contains { id in
            guard let found = try? open.readers.credentials.get(id) else { return false }
            return session.memory.ownership.owns(part, of: id, found.version)
        }
    }

    /// Whether an app may be told that a credential of its domains has changed: it wrote it, or has a grant. That a domain is
    /// declared says nothing: anybody can declare any.
    func mayHear(of id: ObjectID, _ service: Service, _ subject: Subject) -> Bool {
        if let grant = try? remembered(subject, service) { return grant.decision == .allow }
        guard let open = try? vault.unlocked(), let credential = try? open.readers.credentials.get(id) else {
            return false
        }
        return subject.isAtLeast(credential.writer)
    }

    // MARK: - The person's remembered word

    /// For this client and service, or the site that a page belongs to.
    func remembered(_ session: Session, _ service: Service) throws(RefusedRequest) -> Grant? {
        let (subject, site) = (try session.subject(), apps.granted(service, session))
        if let grant = try remembered(subject, site) { return grant }
        guard service.kind == .origin || apps.reachesAsWeb(service, session),
            let key = browserWord(session, subject)
        else { return nil }
        let (had, found) = (browserWords.has(key), browserWords.grant(for: site, key, at: clock.steady.milliseconds))
        // What was decided by a word that has ended is decided anew.
        if had, found == nil { revision.advance() }
        return found
    }

    func remembered(_ subject: Subject, _ service: Service) throws(RefusedRequest) -> Grant? {
        let open = try vault.unlocked()
        let grants = try attempting { () throws(VaultError) in
            try open.readers.grants.all(app: subject.app, service: service)
        }
        let fitting = grants.filter { $0.covers(subject) }
        return fitting.first { $0.decision == .deny } ?? fitting.first
    }

    /// The grant that was decided before, while nothing has changed that it rests on.
    func decided(_ session: Session, _ service: Service) -> ObjectID? {
        guard vault.fact == .unlocked else { return nil }
        return session.memory.decisions.grant(for: service, at: revision.number)
    }

    /// The person's remembered yes; throws for a remembered no.
    func standing(_ session: Session, _ service: Service) throws(RefusedRequest) -> ObjectID? {
        guard let grant = try remembered(session, service) else { return nil }
        guard grant.decision == .allow else {
            throw RefusedRequest(.grantDenied, [.app: grant.subject.app, .domain: service.asArgument])
        }
        if settings.asksEveryTime { return nil }
        session.memory.decisions.keep(grant.id, for: service, at: revision.number)
        return grant.id
    }

    /// Asks the person, unless they have just said yes to this request; then nil, for a yes that is not remembered.
    func ask(_ request: RequestContext, _ service: Service, detail: String = "") throws(RefusedRequest) -> ObjectID? {
        let service = apps.granted(service, request.session)
        if try request.isAllowed(.fill, service) { return nil }
        let names: [Refusal.Parameter: String] = [
            .app: try request.session.subject().app, .domain: service.asArgument,
        ]
        if request.interaction == .forbid { throw RefusedRequest(.interactionRequired, names) }
        throw try asking(.fill, request, service, detail: detail, unasked: Refusal(.grantMissing, names))
    }
}
