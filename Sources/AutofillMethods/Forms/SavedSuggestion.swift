// SPDX-License-Identifier: Apache-2.0
internal import AssociatedDomains
internal import AutofillPolicy
internal import AutofillProtocol
internal import AutofillService
internal import CredentialStorage
internal import Credentials
internal import Forms
internal import Reasons
internal import SecretMemory

/// What is saved, as a suggestion: the site's own first, the last used before the others; then what the app's other
/// associated domains have, then what domains have that share their accounts with the site. Both of these only where the
/// user's remembered decision names the app and that very domain.
extension FormViews {
    func savedCredentials(
        _ site: AutofillFacts.Site, _ asked: Service?, _ form: FormAnalysis, _ request: RequestView
    ) throws(Unsettled) -> Result<SavedCredentialsSuggestion, NotOffered>? {
        guard form.kind == .signIn || form.kind == .changePassword else { return nil }
        let permit: Permit
        switch try suggestible(site, asked, request) {
        case .success(let found): permit = found
        case .failure(let refused): return .failure(refused)
        }
        let service = permit.service
        let named = try credentials.saved.passwords(of: service, limit: Limits.listDefault, request) { id, version in
            permit.shows(.password, of: id, version, to: request)
        }
        let related = try ofOtherDomains(than: service, request)
        let shared = try ofPartners(of: service, besides: related.first, request)
        // Without a grant it is the same whatever is saved: the user can be asked.
        if permit.isGranted, named.elements.isEmpty, related.first.isEmpty, shared.first.isEmpty { return nil }
        return .success(
            SavedCredentialsSuggestion(
                fields: [form.usernameField].compactMap(\.self) + form.passwordFields,
                credentials: try credentials.summaries(named.elements, under: permit, request),
                related: related.first.map { AutofillProtocol.CredentialSummary($0, showsDetails: true) },
                shared: shared.first.map { AutofillProtocol.CredentialSummary($0, showsDetails: true) },
                hasMore: named.next != nil || related.hasMore || shared.hasMore))
    }

    /// What permits it, where what is saved may be suggested.
    func suggestible(
        _ site: AutofillFacts.Site, _ service: Service?, _ request: RequestView
    ) throws(Unsettled) -> Result<Permit, NotOffered> {
        try credentials.access.toSuggest(service, of: site, request).mapError { NotOffered(refusals: $0.refusals) }
    }

    private typealias Found = (first: [CredentialStorage.CredentialSummary], hasMore: Bool)

    /// What the app's other associated domains have, as far as the user allowed it: all of it is shown.
    private func ofOtherDomains(than service: Service, _ request: RequestView) throws(Unsettled) -> Found {
        var found: Found = ([], false)
        guard let registration = credentials.sites.registration(request) else { return found }
        let names = registration.entitlements.associatedDomains.filter { !$0.isWildcard }.map(\.domain.text)
        for name in names.prefix(Limits.relatedDomains) where name != service.value {
            let other = Service(kind: .domain, value: name)
            guard try credentials.access.remembered(other, request)?.decision == .allow else { continue }
            if try credentials.sites.isDenied(name, request) { continue }
            try add(other, to: &found, request)
        }
        return found
    }

    /// What domains have whose accounts are valid at this one too, as far as the user allowed each.
    private func ofPartners(
        of service: Service, besides others: [CredentialStorage.CredentialSummary], _ request: RequestView
    ) throws(Unsettled) -> Found {
        let named = Set(others.map(\.service))
        var found: Found = ([], false)
        for partner in try credentials.sites.partners(of: service, request) where !named.contains(partner) {
            guard try credentials.access.remembered(partner, request)?.decision == .allow else { continue }
            try add(partner, to: &found, request)
        }
        return found
    }

    /// Adds what a service has, up to the length of a list.
    private func add(_ service: Service, to found: inout Found, _ request: RequestView) throws(Unsettled) {
        let left = Limits.listDefault - found.first.count
        let more = try credentials.saved.passwords(of: service, limit: max(1, left), request) { _, _ in true }
        found.first += more.elements.prefix(left)
        found.hasMore = found.hasMore || more.next != nil || more.elements.count > left
    }
}
