// SPDX-License-Identifier: Apache-2.0

/// What a credential is for: Apple's ASCredentialServiceIdentifier. `value` is canonical (lower case, A-label, no default
/// port); whoever makes one from outside input has checked it.
package struct Service: Hashable, Sendable {
    /// The kinds of the wire; of a site's, only `domain` is served today.
    package enum Kind: String, CaseIterable, Sendable {
        case domain, url, origin
        /// No site: what an app keeps under an access group and a service, `GROUP/SERVICE`.
        case keychain
    }

    package let kind: Kind
    package let value: String

    package init(kind: Kind, value: String) {
        self.kind = kind
        self.value = value
    }
}
