// SPDX-License-Identifier: Apache-2.0

/// What a credential is for: Apple's ASCredentialServiceIdentifier. `value` is canonical (lower case, A-label, no default
/// port); the caller checks outside input.
package struct Service: Hashable, Sendable {
    /// The kinds of the wire. A kind that a later version wrote is kept.
    package struct Kind: RawRepresentable, Hashable, Sendable {
        package let rawValue: String

        package init(rawValue: String) { self.rawValue = rawValue }

        package static let domain = Kind(rawValue: "domain")
        package static let url = Kind(rawValue: "url")
        package static let origin = Kind(rawValue: "origin")
        /// No site: an app's items of a namespace in an access group, `GROUP/NAMESPACE`.
        package static let keychain = Kind(rawValue: "keychain")
        /// No site: an imported entry without one, by its title.
        package static let title = Kind(rawValue: "title")
        /// The kinds with a number in the vault.
        package static let numbered = [domain, url, origin, keychain]

        /// Whether credentials are saved for services of this kind.
        package var isOfSites: Bool { self == .domain || self == .url || self == .origin }
    }

    package let kind: Kind
    package let value: String

    package init(kind: Kind, value: String) {
        self.kind = kind
        self.value = value
    }

    /// Few services of two kinds have one value.
    package func hash(into hasher: inout Hasher) { hasher.combine(value) }
}
