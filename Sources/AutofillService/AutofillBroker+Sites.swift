// SPDX-License-Identifier: Apache-2.0
internal import AssociatedDomains
internal import AutofillProtocol
internal import ConfigurationFiles
internal import Credentials
internal import SiteKnowledge

/// What is publicly known of sites.
extension AutofillBroker {
    /// Reads it again where it was imported anew.
    func knowSites() {
        if configuration.sites.reloadIfChanged() { generation += 1 }
    }

    /// What an app is told of a site; nil where nothing is known.
    func report(on service: Service) -> SiteReport? {
        let sites = configuration.sites.sites
        guard !sites.isEmpty, let name = try? DomainName(service.value) else { return nil }
        let report = SiteReport(
            changePassword: sites.changePasswordAddress(for: name), appendsCode: sites.appendsCode(name),
            sharesCredentials: sites.domainsSharing(with: name))
        return report.changePassword == nil && !report.appendsCode && report.sharesCredentials.isEmpty ? nil : report
    }

    /// The rules that are known for a site's passwords.
    func knownRules(on service: Service?) -> (descriptor: String, of: String)? {
        guard let service, let name = try? DomainName(service.value) else { return nil }
        return configuration.sites.sites.passwordRules(for: name)
    }
}
