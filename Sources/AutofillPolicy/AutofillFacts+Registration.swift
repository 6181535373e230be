// SPDX-License-Identifier: Apache-2.0
package import AssociatedDomains

extension AutofillFacts.Declaration {
    /// The declarations of a registration that concern `site`.
    ///
    /// - Parameter isAdministrators: whether the entitlements that only an administrator grants are valid.
    package init(_ registration: Registration, for site: AutofillFacts.Site, isAdministrators: Bool) {
        let entitlements = registration.entitlements
        var covering: String?
        if case .domain(let domain) = site, let name = try? DomainName(domain) {
            covering = registration.answers(for: name)?.description
        }
        self = .present(
            AutofillFacts.Declared(
                path: registration.origin.file, isCredentialProvider: entitlements.isCredentialProvider,
                associatedDomains: entitlements.associatedDomains.map(\.description), coveringEntry: covering,
                webBrowser: AutofillFacts.Entitlement(entitlements.isWebBrowser, isAdministrators: isAdministrators),
                credentialHelper: AutofillFacts.Entitlement(
                    entitlements.isCredentialHelper, isAdministrators: isAdministrators)))
    }
}
