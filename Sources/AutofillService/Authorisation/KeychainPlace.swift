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
    /// What a grant or a refusal names: `shop.example.com`, or `GROUP/SERVICE`. No domain has a slash, and no group.
    init(named name: String) { self.init(kind: name.contains("/") ? .keychain : .domain, value: name) }
}
