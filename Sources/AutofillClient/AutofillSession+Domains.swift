// SPDX-License-Identifier: Apache-2.0
import AutofillProtocol

/// Associated domains: what the site and the person say of the app.
extension AutofillSession {
    /// The app's associated domains, as its registration has them, and how each stands.
    public func associatedDomains() async throws(AutofillError) -> [AssociatedDomainState] {
        try await all({ DomainList(page: $0) }, { ($0.domains, $0.next) }, AssociatedDomainState.init)
    }

    /// How one of them stands.
    public func associatedDomain(_ domain: String) async throws(AutofillError) -> AssociatedDomainState {
        try AssociatedDomainState(try await perform(DomainGet(bundleID: nil, domain: domain, proof: nil)))
    }

    /// Has the site asked anew, and waits for what it says: where its file was mended a moment ago.
    public func refreshAssociatedDomain(_ domain: String) async throws(AutofillError) -> AssociatedDomainState {
        try AssociatedDomainState(try await perform(DomainRefresh(bundleID: nil, domain: domain, proof: nil)))
    }
}
