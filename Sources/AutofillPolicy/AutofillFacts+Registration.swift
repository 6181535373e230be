// SPDX-License-Identifier: Apache-2.0
package import AssociatedDomains

extension AutofillFacts.Declaration {
    /// What a registration declares, as far as it matters for `site`.
    package init(_ registration: Registration, for site: AutofillFacts.Site) {
        var covering: String?
        if case .domain(let domain) = site, let name = try? DomainName(domain) {
            covering = registration.answers(for: name)?.description
        }
        self = .present(
            AutofillFacts.Declared(
                path: registration.origin.file, isCredentialProvider: registration.entitlements.isCredentialProvider,
                associatedDomains: registration.entitlements.associatedDomains.map(\.description),
                coveringEntry: covering))
    }
}
