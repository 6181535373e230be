// SPDX-License-Identifier: Apache-2.0
package import Credentials

/// Where keychain items and verifiers are: an access group that the caller reaches, and a service in it.
package struct KeychainPlace: Sendable {
    package let group: String
    package let service: String

    package init(group: String, service: String) { (self.group, self.service) = (group, service) }

    /// What a grant is for, and a release is recorded under.
    package var granted: Service { Service(kind: .keychain, value: "\(group)/\(service)") }
}

extension KeychainPlace {
    /// Of an item without a place a grant names the id, and so does a refusal: what else is stored of it is not for a client
    /// that may not read it.
    package init(_ item: Sealed<Item>) {
        let service = item.record.isOfSecretService ? nil : item.place?.service
        self.init(group: item.accessGroup, service: service ?? item.id.description)
    }
}

extension Service {
    /// What behind the group's name a service of Secret Service names: an item, by its id, or all that an app keeps; nil of others.
    package var secretServiceName: String? {
        let prefix = Item.secretServiceGroup + "/"
        guard kind == .keychain, value.utf8.starts(with: prefix.utf8) else { return nil }
        return String(value.dropFirst(prefix.count))
    }

    /// What a grant or a refusal names: `shop.example.com`, or `GROUP/NAMESPACE`. No domain has a slash, and no group.
    init(named name: String) { self.init(kind: name.contains("/") ? .keychain : .domain, value: name) }
}
