// SPDX-License-Identifier: Apache-2.0
internal import AutofillPolicy
internal import CredentialStorage
internal import Credentials
internal import PeerIdentity
internal import Reasons
internal import Settings

/// The user's remembered decisions about apps.
struct GrantReader {
    private let vault: VaultKeeper
    private let apps: AppDirectory
    private let settings: SettingsInForce
    private let browsers: BrowserConsents

    init(_ vault: VaultKeeper, _ apps: AppDirectory, _ settings: SettingsInForce, _ browsers: BrowserConsents) {
        (self.vault, self.apps, self.settings, self.browsers) = (vault, apps, settings, browsers)
    }

    private var revision: UInt64 { vault.environment.revision.number }

    /// For the client and a service, or the site that a page belongs to.
    func remembered(_ service: Service, _ request: RequestView) throws(Unsettled) -> Grant? {
        let (subject, site) = (try request.subject(), apps.granted(service, request.app))
        if let grant = try remembered(request.app?.subjects ?? [], site) { return grant }
        guard service.kind == .origin || apps.accessesAsWeb(service, request.app),
            let key = browserConsent(subject, request)
        else { return nil }
        request.noteRead(of: key, for: site)
        return browsers.grant(for: site, key, noted: request.notedSites)
    }

    /// For one of the subjects of an app: a denial before a permission.
    func remembered(_ subjects: [Subject], _ service: Service) throws(Unsettled) -> Grant? {
        guard let app = subjects.first?.app else { return nil }
        let grants = try grants(app: app, service: service)
        let fitting = grants.filter { grant in subjects.contains(where: grant.covers) }
        return fitting.first { $0.decision == .deny } ?? fitting.first
    }

    func grants(app: String, service: Service) throws(Unsettled) -> [Grant] {
        try vault.read { readers throws(VaultError) in try readers.grants.all(app: app, service: service) }
    }

    /// The subject that consent for all web sites would be given to; nil where it is given site by site.
    func browserConsent(_ subject: Subject, _ request: RequestView) -> BrowserConsents.Key? {
        guard settings.effective.askInBrowser == .once, apps.isBrowser(request.app) else { return nil }
        return BrowserConsents.Key(
            subject: subject, login: request.peer.evidence.login, replacements: vault.replacements)
    }

    /// The grant that was decided before, while nothing has changed that it depends on.
    func decided(_ service: Service, _ request: RequestView) -> ObjectID? {
        guard case .unlocked = vault.fact else { return nil }
        return request.decided(service, at: revision)
    }

    /// The user's remembered yes; throws for a remembered no.
    func allowing(_ service: Service, _ request: RequestView) throws(Unsettled) -> ObjectID? {
        guard let grant = try remembered(service, request) else { return nil }
        guard grant.decision == .allow else {
            throw Unsettled(.grantDenied, [.app: grant.subject.app, .domain: service.asArgument])
        }
        if settings.asksEveryTime { return nil }
        return keep(grant, for: service, request)
    }

    /// Remembers a grant for the connection.
    func keep(_ grant: Grant, for service: Service, _ request: RequestView) -> ObjectID {
        request.keep(grant.id, for: service, at: revision)
        return grant.id
    }

    /// Whether it was decided before that the connection may get its own of a service, while nothing has changed that this depends on.
    func isDecidedOwn(_ field: CredentialField, of service: Service, _ request: RequestView) -> Bool {
        guard case .unlocked = vault.fact, let written = vault.opened?.writtenCredentials else { return false }
        return request.decidedOwn(field, of: service, at: revision, written: written)
    }

    func keepOwn(_ field: CredentialField, of service: Service, _ request: RequestView) {
        guard let written = vault.opened?.writtenCredentials else { return }
        request.keepOwn(field, of: service, at: revision, written: written)
    }

    /// Throws where the user has denied the service to the client.
    func refuseDenied(_ service: Service, _ request: RequestView) throws(Unsettled) {
        let subject = try request.subject()
        if try remembered(service, request)?.decision == .deny {
            throw Unsettled(.grantDenied, [.app: subject.app, .domain: service.asArgument])
        }
    }

    /// The user's remembered decision about the own data of an app, which is given to its owner.
    func rememberedOwnData(of owner: Subject, _ app: IdentifiedApp) throws(Unsettled) -> Grant? {
        try remembered([owner] + app.grantees.ofOwner(owner).all, .ownData(of: owner))
    }

    /// Whether the client is the app that its own data is for, or the user has confirmed it.
    ///
    /// - Parameter consent: the subject to which the user gave the app's own data on this connection.
    func hasOwnDataConsent(_ app: IdentifiedApp?, consent: Subject?) throws(Unsettled) -> Bool {
        guard let app, let owner = app.owner else { return true }
        let decision = try rememberedOwnData(of: owner, app)?.decision
        if decision == .deny { return false }
        return consent == owner || decision == .allow && !settings.asksEveryTime
    }

    /// Whether an app may be notified that a credential of its domains has changed: it wrote it, or has a grant. That a domain is
    /// declared proves nothing: any registration can declare any.
    func mayReceive(
        of id: ObjectID, _ service: Service, _ subject: Subject, _ app: IdentifiedApp, consent: Subject?
    ) -> Bool {
        do throws(Unsettled) {
            if let grant = try remembered(app.subjects, service) { return grant.decision == .allow }
            let found = try vault.read { readers throws(VaultError) in try readers.credentials.get(id) }
            guard let found, subject.isAtLeast(found.writer) else { return false }
            return try hasOwnDataConsent(app, consent: consent)
        } catch {
            // What cannot be read now is not waited for: an event is sent or not.
            return false
        }
    }
}
