// SPDX-License-Identifier: Apache-2.0
internal import Credentials

/// Where keychain items and verifiers are: an access group that the caller reaches, and a service in it.
struct KeychainPlace {
    let group: String
    let service: String

    /// What a grant is for, and a release is recorded under.
    var granted: Service { Service(kind: .keychain, value: "\(group)/\(service)") }
}

extension Service {
    /// What behind the group's name a service of Secret Service names: an item, by its id, or all that an app keeps; nil of others.
    var secretServiceName: String? {
        let prefix = Item.secretServiceGroup + "/"
        guard kind == .keychain, value.utf8.starts(with: prefix.utf8) else { return nil }
        return String(value.dropFirst(prefix.count))
    }

    /// What a grant or a refusal names: `shop.example.com`, or `GROUP/SERVICE`. No domain has a slash, and no group.
    init(named name: String) { self.init(kind: name.contains("/") ? .keychain : .domain, value: name) }
}
