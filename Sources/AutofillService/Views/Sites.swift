// SPDX-License-Identifier: Apache-2.0
package import AssociatedDomains
package import AutofillPolicy
package import AutofillProtocol
internal import ConfigurationFiles
internal import CredentialStorage
package import Credentials
internal import Reasons
internal import SiteKnowledge

/// The sites and services that requests name.
package struct Sites {
    private let apps: AppDirectory
    private let associations: SiteAssociations

    package init(_ apps: AppDirectory, _ associations: SiteAssociations) {
        (self.apps, self.associations) = (apps, associations)
    }

    /// The service of a request under which it is saved.
    package func service(
        _ named: ServiceIdentifier, _ request: RequestView, member: String = "service"
    ) throws(Unsettled) -> Service { try apps.service(named, request, member: member) }

    /// What the policy reads of the service that a request names, and the service under which it is saved, where it has one.
    package func site(
        _ named: ServiceIdentifier, _ request: RequestView
    ) throws(Unsettled) -> (fact: AutofillFacts.Site, service: Service?) { try apps.site(named, request) }

    /// A further service of a credential: the request stays one about the service that it named before.
    package func further(
        _ named: ServiceIdentifier, _ request: RequestView, member: String
    ) throws(Unsettled) -> Service {
        try request.keepingService { () throws(Unsettled) in try apps.service(named, request, member: member) }
    }

    /// The page that something is filled at that a request names by its id. A browser names it always: the daemon cannot see it.
    package func page(_ request: RequestView) throws(Unsettled) -> Service? {
        let page = request.page.page
        guard page != nil || request.isProven || !apps.isBrowser(request.app) else {
            throw .invalid("context.page", "the origin of the page that it is used at")
        }
        return try page.map { page throws(Unsettled) in try apps.service(page, request, member: "context.page") }
    }

    /// The service under which is saved what a call names, whoever calls.
    package func saved(_ named: ServiceIdentifier) -> Service {
        let kind = Service.Kind(rawValue: named.type)
        if kind == .domain, let name = try? DomainName(named.value) { return Service(kind: .domain, value: name.text) }
        if kind == .origin, let origin = try? WebOrigin(named.value) { return apps.savedService(of: origin) }
        return Service(kind: kind, value: named.value)
    }

    /// The services under which is saved what was used at an address of a file: of an https page, or a host alone, its domain's; of an
    /// http page that and its own. None for another address.
    package func saved(at address: String) -> [Service] {
        let colon = address.firstIndex(of: ":")
        let start = colon.flatMap { address[$0...].hasPrefix("://") ? $0 : nil }
        let scheme = start.map { address[..<$0].lowercased() } ?? "https"
        let rest = (start.map { address[$0...].dropFirst(3) } ?? address[...]).prefix { !"/?#\\".contains($0) }
        let host = rest.lastIndex(of: "@").map { rest[$0...].dropFirst() } ?? rest
        guard let origin = try? WebOrigin("\(scheme)://\(host)") else { return [] }
        let own = apps.savedService(of: origin)
        guard origin.scheme == .http, origin.port == nil, case .name(let name) = origin.host else { return [own] }
        return [apps.savedService(of: WebOrigin(securely: name)), own]
    }

    /// The service under which a credential helper saves a password for a URL; nil where it may not.
    package func saved(asURL address: String) -> Service? {
        (try? AppDirectory.checkedAddress(address, member: "")).map { Service(kind: .url, value: $0) }
    }

    /// The site of a request that names none.
    package func unnamed(_ request: RequestView) -> AutofillFacts.Site { apps.unnamedSite(request.app) }

    package func registration(_ request: RequestView) -> Registration? { apps.registration(of: request.app) }

    /// What an app receives about a site; nil where nothing is stored.
    package func report(on service: Service) -> SiteReport? { apps.report(on: service) }

    /// The stored rules for a site's passwords.
    package func rules(on service: Service?) -> (descriptor: String, of: String)? { apps.storedRules(on: service) }

    /// The form of a request with all its fields: those of the form that the app's registration declares under that name,
    /// and those that the request has, which replace declared ones with the same id.
    package func described(_ form: FormDescription, _ request: RequestView) throws(Unsettled) -> DescribedForm {
        DescribedForm(try fields(of: form, request), form.words)
    }

    private func fields(of sent: FormDescription, _ request: RequestView) throws(Unsettled) -> [FieldDescription] {
        guard let name = sent.declared else { return sent.fields }
        let forms = apps.registration(of: request.app)?.forms ?? []
        guard let form = forms.first(where: { $0.name.utf8.elementsEqual(name.utf8) }) else {
            let names = forms.map(\.name)
            guard !names.isEmpty else {
                throw .invalid(
                    "form.declared", because: "The app's registration declares no form.",
                    fix: "Add the form to the registration, or send its fields")
            }
            throw .invalid("form.declared", "one of the registration's forms: " + names.joined(separator: ", "))
        }
        var fields = form.fields.map(FieldDescription.init)
        for field in sent.fields {
            if let index = fields.firstIndex(where: { $0.id == field.id }) {
                fields[index] = field
            } else {
                fields.append(field)
            }
        }
        return fields
    }

    // MARK: - Sites that share credentials

    /// The service by which a request accesses a credential that it names beside the page: the page's, or that of a site whose
    /// accounts are valid there too. Throws `credentialNotFound` where it belongs to neither.
    package func service(
        of found: Sealed<Credential>, namedWith page: Service, _ request: RequestView
    ) throws(Unsettled) -> Service {
        let all = [page] + (try partners(of: page, request))
        guard let service = all.first(where: { isValid(found.record, at: $0, request.app) }) else {
            throw Unsettled(.credentialNotFound)
        }
        return service
    }

    /// The service under which a credential is kept that a request names, where it belongs to a service, or to the site of the page
    /// that it is.
    package func service(
        keeping found: Sealed<Credential>, at service: Service, _ request: RequestView
    ) -> Service? {
        if found.isFor(service) { return service }
        return request.isProven ? nil : ofSite(found.record, at: service, request.app)
    }

    /// Whether a credential may be filled at a service, or at the page that it is to an app.
    private func isValid(_ credential: Credential, at service: Service, _ app: IdentifiedApp?) -> Bool {
        credential.isFor(service) || ofSite(credential, at: service, app) != nil
    }

    /// The first service of a credential that is of a page's site.
    private func ofSite(_ credential: Credential, at page: Service, _ app: IdentifiedApp?) -> Service? {
        guard let site = apps.sharedSite(of: page, app) else { return nil }
        return credential.services.first { own in
            own.match != .exact && securedDomain(of: own.service).flatMap(apps.registrableDomain) == site
        }?.service
    }

    /// The domain of a service, or of the page over https that it is.
    private func securedDomain(of service: Service) -> Service? {
        switch service.kind {
        case .domain: service
        case .origin: (try? WebOrigin(service.value))?.securedName.map { Service(kind: .domain, value: $0.text) }
        default: nil
        }
    }

    /// The domains of other sites whose accounts are valid at this one too: those that are stored as sharing them, and those of an
    /// app that both sites approve.
    package func partners(of service: Service, _ request: RequestView) throws(Unsettled) -> [Service] {
        guard service.kind == .domain, let name = try? DomainName(service.value) else { return [] }
        let site = apps.sharedSite(of: service, request.app)
        var names = apps.sites.sites.domainsSharing(with: name)
        if let site, site != name.text, let above = try? DomainName(site) {
            names += apps.sites.sites.domainsSharing(with: above)
        }
        if site != nil { names += try domainsOfApps(with: name) }
        var seen: Set<String> = [name.text]
        let others = names.filter { seen.insert($0).inserted }.map { Service(kind: .domain, value: $0) }
        return others.filter { site == nil || apps.sharedSite(of: $0, request.app) != site }
    }

    /// The other associated domains of the apps of a domain, as far as both domains approve the app, or the user does for them.
    private func domainsOfApps(with name: DomainName) throws(Unsettled) -> [String] {
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

    private func isApproved(_ registration: Registration, _ name: DomainName) throws(Unsettled) -> Bool {
        let statements = try associations.statements(registration, name, for: nil)
        switch (statements?.site, statements?.user) {
        case (_, .denied?), (_, .needed?): return false
        case (.approved?, _), (_, .approved?): return true
        default: return false
        }
    }

    /// Whether the user denied an associated domain to the client.
    package func isDenied(_ name: String, _ request: RequestView) throws(Unsettled) -> Bool {
        guard let registration = apps.registration(of: request.app), let domain = try? DomainName(name),
            case .denied? = try associations.statements(registration, domain, for: request.app?.subjects)?.user
        else { return false }
        return true
    }
}
