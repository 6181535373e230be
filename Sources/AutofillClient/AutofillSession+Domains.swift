// SPDX-License-Identifier: Apache-2.0
import AutofillProtocol

/// Associated domains: what the site and the person say of the app.
extension AutofillSession {
    /// The app's associated domains, as its registration has them, and how each stands.
    public func associatedDomains() async throws(AutofillError) -> [AssociatedDomainState] {
        try await all({ DomainList(page: $0) }, { ($0.domains.map(AssociatedDomainState.init), $0.next) })
    }

    /// How one of them stands.
    public func associatedDomain(_ domain: String) async throws(AutofillError) -> AssociatedDomainState {
        AssociatedDomainState(try await perform(DomainGet(bundleID: nil, domain: domain, proof: nil)))
    }

    /// Has the site asked anew, and waits for what it says: where its file was mended a moment ago.
    public func refreshAssociatedDomain(_ domain: String) async throws(AutofillError) -> AssociatedDomainState {
        AssociatedDomainState(try await perform(DomainRefresh(bundleID: nil, domain: domain, proof: nil)))
    }
}

/// What the site and the person say of the app and one of its associated domains.
public struct AssociatedDomainState: Hashable, Sendable {
    /// The entry of the registration, `webcredentials:*.example.com`.
    public let entry: String
    /// The domain whose file speaks for it.
    public let site: String
    /// Whether the two words make the domain the app's.
    public let isApproved: Bool
    /// What the site says: `approved`, `notNeeded`, `notListing`, `failed`, `notFetched`.
    public let siteState: String
    /// Why, for people.
    public let siteEvidence: String
    /// What the person says: `approved`, `denied`, `silent`, or `needed` where nothing is done without it.
    public let userState: String
    /// Why, for people.
    public let userEvidence: String
    /// When the site was last heard, RFC 3339.
    public let fetched: String?

    init(_ report: DomainReport) {
        entry = report.entry
        site = report.site
        isApproved = report.approved
        siteState = report.siteState.rawValue
        siteEvidence = report.siteEvidence
        userState = report.userState.rawValue
        userEvidence = report.userEvidence
        fetched = report.fetched
    }
}
