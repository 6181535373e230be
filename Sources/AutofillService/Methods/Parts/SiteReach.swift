// SPDX-License-Identifier: Apache-2.0
internal import AssociatedDomains
internal import AutofillPolicy
internal import AutofillProtocol
internal import ConfigurationFiles
internal import CredentialStorage
internal import Credentials
internal import Reasons
internal import SiteKnowledge

/// What is saved for a page's whole site: `example.com` and `login.example.com` are one to a browser, and never two names below a
/// public suffix. An app's associated domain is that domain alone.
extension Modules {
    /// What is saved for a service, or the passwords of a page's site, the last used first; in pages.
    ///
    /// - Parameter kind: nil for all.
    func saved(
        for service: Service, kind: Credential.Kind? = nil, _ session: Session, after position: CredentialPosition?,
        limit: Int,
        where isWanted: (ObjectID, UInt64) -> Bool = { _, _ in true }
    ) throws(RefusedRequest) -> VaultPage<CredentialStorage.CredentialSummary, CredentialPosition> {
        let open = try vault.unlocked()
        let site = apps.sharedSite(of: service, session)
        return try attempting { () throws(VaultError) in
            guard let site else {
                return try open.readers.credentials.page(
                    for: service, kind: kind, after: position, limit: limit, where: isWanted)
            }
            return try open.readers.credentials.page(
                underSite: site, asking: service, after: position, limit: limit, where: isWanted)
        }
    }

    /// The password of a user for a service; where there is none, the one that a page's site has.
    func saved(for service: Service, user: String, _ session: Session) throws(RefusedRequest) -> Credential? {
        let open = try vault.unlocked()
        let exact = try attempting { () throws(VaultError) in try open.readers.credentials.get(for: service, user: user)
        }
        if let exact, exact.deleted == nil || apps.sharedSite(of: service, session) == nil { return exact }
        guard let site = apps.sharedSite(of: service, session) else { return nil }
        return try attempting { () throws(VaultError) in
            try open.readers.credentials.get(underSite: site, asking: service, user: user) ?? exact
        }
    }

    /// Under which service a password of a user is kept that is typed or saved at a page: that of the one that its site has, else the
    /// page's.
    func place(of user: String, at service: Service, _ request: RequestContext) throws(RefusedRequest) -> Service {
        guard !request.isProven, apps.sharedSite(of: service, request.session) != nil,
            let found = try saved(for: service, user: user, request.session), found.deleted == nil,
            !found.isFor(service)
        else { return service }
        return found.service
    }

    /// The page that something is filled at that a request names by its id. A browser names it always: the daemon cannot see it.
    func page(_ page: ServiceIdentifier?, _ request: RequestContext) throws(RefusedRequest) -> Service? {
        guard page != nil || request.isProven || !apps.isBrowser(request.session) else {
            throw .invalid("page", "the origin of the page that it is filled at")
        }
        return try page.map { page throws(RefusedRequest) in try apps.service(page, request, member: "page") }
    }

    /// The service by which a request reaches a credential that it names beside the page: the page's, or that of a site whose
    /// accounts hold there too. Throws `credentialNotFound` where it belongs to neither.
    func service(
        of credential: Credential, namedWith service: Service, _ request: RequestContext
    ) throws(RefusedRequest) -> Service {
        let partners = try partners(of: service, request)
        guard let found = ([service] + partners).first(where: { credential.holds(at: $0, apps, request.session) })
        else {
            throw RefusedRequest(.credentialNotFound)
        }
        return found
    }

    /// The domains of other sites at whose accounts' hold at this one too: those that are known to share them, and those of an app that
    /// both sites approve.
    func partners(of service: Service, _ request: RequestContext) throws(RefusedRequest) -> [Service] {
        guard service.kind == .domain, let name = try? DomainName(service.value) else { return [] }
        let site = apps.sharedSite(of: service, request.session)
        var names = apps.sites.sites.domainsSharing(with: name)
        if let site, site != name.text, let above = try? DomainName(site) {
            names += apps.sites.sites.domainsSharing(with: above)
        }
        if site != nil { names += try domainsOfApps(with: name) }
        var known: Set<String> = [name.text]
        let others = names.filter { known.insert($0).inserted }.map { Service(kind: .domain, value: $0) }
        return others.filter { site == nil || apps.sharedSite(of: $0, request.session) != site }
    }

    /// The other associated domains of the apps of a domain, as far as both domains approve the app, or the person in their place.
    private func domainsOfApps(with name: DomainName) throws(RefusedRequest) -> [String] {
        var names: [String] = []
        for registration in apps.allRegistrations where registration.answers(for: name) != nil {
            guard try isApproved(registration, name) else { continue }
            for other in registration.entitlements.associatedDomains.prefix(Limits.relatedDomains)
            where !other.isWildcard && other.domain != name {
                if try isApproved(registration, other.domain) { names.append(other.domain.text) }
            }
        }
        return names
    }

    private func isApproved(_ registration: Registration, _ name: DomainName) throws(RefusedRequest) -> Bool {
        let statements = try associations.statements(registration, name, for: nil)
        switch (statements?.site, statements?.user) {
        case (_, .denied?): return false
        case (.approved?, _), (_, .approved?): return true
        default: return false
        }
    }
}

extension Credential {
    /// Whether it may be filled at a service, or at the page that it is to a session.
    fileprivate func holds(at service: Service, _ apps: AppDirectory, _ session: Session) -> Bool {
        if isFor(service) { return true }
        guard let site = apps.sharedSite(of: service, session) else { return false }
        return services.contains { own in
            own.match != .exact && apps.securedDomain(of: own.service).flatMap(apps.registrableDomain) == site
        }
    }
}

extension AppDirectory {
    /// The domain of a service, or of the page over https that it is.
    fileprivate func securedDomain(of service: Service) -> Service? {
        switch service.kind {
        case .domain: service
        case .origin:
            (try? WebOrigin(service.value))?.securedName.map { Service(kind: .domain, value: $0.text) }
        default: nil
        }
    }
}
