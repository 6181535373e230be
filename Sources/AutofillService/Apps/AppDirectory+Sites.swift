// SPDX-License-Identifier: Apache-2.0
package import AssociatedDomains
internal import AutofillPolicy
internal import AutofillProtocol
internal import ConfigurationFiles
package import Credentials
internal import Reasons
internal import SiteKnowledge

extension AppDirectory {
    /// What the policy reads of the service that a request names, and the service under which it is saved.
    func site(
        _ service: ServiceIdentifier, _ request: RequestView
    ) throws(Unsettled) -> (fact: AutofillFacts.Site, service: Service?) {
        switch try resolve(service, request, member: "service") {
        case .saved(let named): (site(of: named, request), named)
        case .unsaved(let fact): (fact, nil)
        }
    }

    /// What a request names.
    private enum NamedService {
        /// The service under which it is saved.
        case saved(Service)
        /// Nothing is saved under it.
        case unsaved(AutofillFacts.Site)
    }

    private func resolve(
        _ service: ServiceIdentifier, _ request: RequestView, member: String
    ) throws(Unsettled) -> NamedService {
        let named: Service
        var isPage = false
        switch Service.Kind(rawValue: service.type) {
        case .domain: named = try domain(service.value, member: member)
        case .url: named = Service(kind: .url, value: try Self.checkedAddress(service.value, member: member))
        case .origin:
            guard let origin = try Self.origin(service.value, member: member) else {
                request.note(Service(kind: .origin, value: service.value))
                return .unsaved(.opaqueOrigin(service.value))
            }
            named = savedService(of: origin)
            request.noteOrigin(origin)
            isPage = true
        case .keychain: return .unsaved(.unsupportedType(service.type))
        default: throw .invalid("\(member).type", "domain, url or origin")
        }
        request.note(named, isPage: isPage)
        // Whoever changes the whole page on its way changes what is around the frame.
        if let top = try topOrigin(request), !top.isServed { return .unsaved(.origin(top)) }
        return .saved(named)
    }

    /// The service of a request under which it is saved, where it has one.
    func service(
        _ service: ServiceIdentifier, _ request: RequestView, member: String = "service"
    ) throws(Unsettled) -> Service {
        switch try resolve(service, request, member: member) {
        case .saved(let named): return named
        case .unsaved(.opaqueOrigin(let text)): throw Unsettled(.originOpaque, [.domain: text])
        case .unsaved(.origin(let top)): throw Unsettled(.originNotSecure, [.domain: top.text])
        case .unsaved: throw Unsettled(.serviceTypeUnsupported)
        }
    }

    /// What an app receives about a site; nil where nothing is stored.
    func report(on service: Service) -> SiteReport? {
        let sites = sites.sites
        guard !sites.isEmpty, let name = try? DomainName(service.value) else { return nil }
        let report = SiteReport(
            changePassword: sites.changePasswordAddress(for: name), appendsCode: sites.appendsCode(name),
            sharesCredentials: sites.domainsSharing(with: name))
        return report.changePassword == nil && !report.appendsCode && report.sharesCredentials.isEmpty ? nil : report
    }

    /// The rules that are known for a site's passwords.
    func storedRules(on service: Service?) -> (descriptor: String, of: String)? {
        guard let service, let name = try? DomainName(service.value) else { return nil }
        return sites.sites.passwordRules(for: name)
    }

    /// The registration's own services at which accounts of another service hold too; none for one of its own.
    package func partners(of service: Service, in registration: Registration) -> [Service] {
        guard let name = try? DomainName(service.value), registration.answers(for: name) == nil else { return [] }
        let served = sites.sites.domainsServed(by: name).flatMap { [$0, "www." + $0] }
        return served.compactMap { try? DomainName($0) }.filter { registration.answers(for: $0) != nil }
            .map { Service(kind: .domain, value: $0.text) }
    }
}
