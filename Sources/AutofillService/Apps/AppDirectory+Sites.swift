// SPDX-License-Identifier: Apache-2.0
internal import AssociatedDomains
internal import AutofillPolicy
internal import AutofillProtocol
internal import ConfigurationFiles
internal import Credentials
internal import Reasons
internal import SiteKnowledge

extension AppDirectory {
    /// What the policy looks at of the service that a request names, and its canonical form.
    func site(
        _ service: ServiceIdentifier, _ request: RequestContext, member: String = "service"
    ) throws(RefusedRequest) -> (fact: AutofillFacts.Site, service: Service?) {
        guard service.type == Service.Kind.domain.rawValue else {
            guard Service.Kind(rawValue: service.type) != nil else {
                throw .invalid("\(member).type", "domain, url or origin")
            }
            return (.unsupportedType(service.type), nil)
        }
        let domain = try domain(service.value, member: member)
        request.namedDomain = domain.value
        return (.domain(domain.value), domain)
    }

    /// The service of a request, where only a domain will do.
    func domain(_ service: ServiceIdentifier, _ request: RequestContext) throws(RefusedRequest) -> Service {
        guard let service = try site(service, request).service else { throw RefusedRequest(.serviceTypeUnsupported) }
        return service
    }

    /// What an app is told of a site; nil where nothing is known.
    func report(on service: Service) -> SiteReport? {
        let sites = sites.sites
        guard !sites.isEmpty, let name = try? DomainName(service.value) else { return nil }
        let report = SiteReport(
            changePassword: sites.changePasswordAddress(for: name), appendsCode: sites.appendsCode(name),
            sharesCredentials: sites.domainsSharing(with: name))
        return report.changePassword == nil && !report.appendsCode && report.sharesCredentials.isEmpty ? nil : report
    }

    /// The rules that are known for a site's passwords.
    func knownRules(on service: Service?) -> (descriptor: String, of: String)? {
        guard let service, let name = try? DomainName(service.value) else { return nil }
        return sites.sites.passwordRules(for: name)
    }

    /// The registration's own services at which accounts of another service hold too; none for one of its own.
    func partners(of service: Service, in registration: Registration) -> [Service] {
        guard let name = try? DomainName(service.value), registration.answers(for: name) == nil else { return [] }
        let served = sites.sites.domainsServed(by: name).flatMap { [$0, "www." + $0] }
        return served.compactMap { try? DomainName($0) }.filter { registration.answers(for: $0) != nil }
            .map { Service(kind: .domain, value: $0.text) }
    }
}
