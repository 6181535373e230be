// SPDX-License-Identifier: Apache-2.0
import AutofillProtocol

/// The site that a credential belongs to: Apple's `ASCredentialServiceIdentifier`.
public struct CredentialServiceIdentifier: Hashable, Sendable {
    /// What the identifier is.
    public enum IdentifierType: String, Hashable, Sendable, CaseIterable {
        /// A domain name, `example.com`. The one type that is served now.
        case domain
        /// A whole address.
        case url
        /// A web origin, for browsers.
        case origin
    }

    /// The domain, address or origin.
    public let identifier: String
    /// What it is.
    public let type: IdentifierType

    /// - Parameters:
    ///   - identifier: for a domain one of the app's associated domains, 1 to 253 bytes, as A-label or ASCII.
    ///   - type: what it is.
    public init(identifier: String, type: IdentifierType) {
        self.identifier = identifier
        self.type = type
    }

    /// The site of a domain.
    public static func domain(_ name: String) -> CredentialServiceIdentifier {
        CredentialServiceIdentifier(identifier: name, type: .domain)
    }
}

extension ServiceIdentifier {
    init(_ service: CredentialServiceIdentifier) {
        self.init(type: service.type.rawValue, value: service.identifier)
    }
}
