// SPDX-License-Identifier: Apache-2.0
internal import AssociatedDomains
internal import AutofillPolicy
internal import AutofillProtocol
internal import ConfigurationFiles
internal import CredentialStorage
internal import Credentials
internal import Forms
internal import Reasons
internal import SiteKnowledge

/// What is saved, as a suggestion: the site's own first, the last used before the others; then what the app's other
/// associated domains have, then what domains have that share their accounts with the site. Both of these only where the
/// person's remembered word names the app and that very domain.
extension Modules {
    func savedCredentials(
        _ request: RequestContext, _ site: AutofillFacts.Site, _ asked: Service?, _ form: FormAnalysis
    ) throws(RefusedRequest) -> Result<SavedCredentialsSuggestion, NotOffered>? {
        guard form.kind == .signIn || form.kind == .changePassword else { return nil }
        let (service, grant): (Service, Grant?)
        switch try suggestible(request, site, asked) {
        case .success(let found): (service, grant) = found
        case .failure(let refused): return .failure(refused)
        }
        let (named, hasMore) = try visible(service, request, grant == nil ? .ownOnly : .granted(nil))
        let related = try credentials(ofOtherDomainsThan: service, request)
        let shared = try credentials(sharedWith: service, besides: related.first, request)
        // Without a grant it is the same whatever is saved: the person can be asked.
        if grant != nil, named.isEmpty, related.first.isEmpty, shared.first.isEmpty { return nil }
        return .success(
            SavedCredentialsSuggestion(
                fields: [form.usernameField].compactMap(\.self) + form.passwordFields,
                credentials: summaries(named, grant == nil ? .ownOnly : .granted(nil), request),
                related: summaries(related.first, .granted(nil), request),
                shared: summaries(shared.first, .granted(nil), request),
                hasMore: hasMore || related.hasMore || shared.hasMore))
    }

    /// The site and the person's remembered word, where what is saved may be suggested.
    func suggestible(
        _ request: RequestContext, _ site: AutofillFacts.Site, _ service: Service?
    ) throws(RefusedRequest) -> Result<(Service, Grant?), NotOffered> {
        let examination = Examination(
            of: authoriser.facts(for: request, site: site, consent: .granted("")), for: .savedCredential)
        try authoriser.askSite(request, site, examination, mayWait: false)
        let refusals = examination.refusals
        guard refusals.isEmpty, let service else { return .failure(NotOffered(refusals: refusals)) }
        let grant = try authoriser.remembered(request.session, service)
        guard grant?.decision == .deny else { return .success((service, grant)) }
        let names: [Refusal.Parameter: String] = [
            .app: request.session.app?.bundleID.text ?? "", .domain: service.asArgument,
        ]
        return .failure(NotOffered(refusals: [Refusal(.grantDenied, names)]))
    }

    /// What the app's other associated domains have, as far as the person allowed it.
    private func credentials(
        ofOtherDomainsThan service: Service, _ request: RequestContext
    ) throws(RefusedRequest) -> Found {
        guard let registration = apps.registration(of: request.session) else { return ([], false) }
        let names = registration.entitlements.associatedDomains.filter { !$0.isWildcard }.map(\.domain.text)
        var found: Found = ([], false)
        for name in names.prefix(Limits.relatedDomains) where name != service.value {
            let other = Service(kind: .domain, value: name)
            guard try authoriser.remembered(request.session, other)?.decision == .allow else { continue }
            if let domain = try? DomainName(name),
                case .denied? = try associations.statements(registration, domain, for: request.session.app?.subject)?
                    .user
            {
                continue
            }
            try add(other, to: &found, request)
        }
        return found
    }

    /// What domains have whose accounts hold at this one too, as far as the person allowed each.
    private func credentials(
        sharedWith service: Service, besides others: [CredentialStorage.CredentialSummary], _ request: RequestContext
    ) throws(RefusedRequest) -> Found {
        let named = Set(others.map(\.service))
        var found: Found = ([], false)
        for partner in try partners(of: service, request) where !named.contains(partner) {
            guard try authoriser.remembered(request.session, partner)?.decision == .allow else { continue }
            try add(partner, to: &found, request)
        }
        return found
    }

    private typealias Found = (first: [CredentialStorage.CredentialSummary], hasMore: Bool)

    /// Adds what a service has, as far as there is room.
    private func add(_ service: Service, to found: inout Found, _ request: RequestContext) throws(RefusedRequest) {
        let room = Limits.listDefault - found.first.count
        let more = try visible(service, request, .granted(nil), upTo: max(1, room))
        found.first += more.first.prefix(room)
        found.hasMore = found.hasMore || more.hasMore || more.first.count > room
    }
}
