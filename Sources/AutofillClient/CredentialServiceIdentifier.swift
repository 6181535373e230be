// SPDX-License-Identifier: Apache-2.0
import AutofillProtocol

/// The site that a credential belongs to: Apple's `ASCredentialServiceIdentifier`.
public struct CredentialServiceIdentifier: Hashable, Sendable {
    /// What the identifier is. Later versions of the service may name others.
    public struct IdentifierType: RawRepresentable, Hashable, Sendable {
        /// As on the wire.
        public let rawValue: String

        /// A type by its name on the wire.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// A domain name, `example.com`. The one type of site that is served now.
        public static let domain = IdentifierType(rawValue: "domain")
        /// A whole address.
        public static let url = IdentifierType(rawValue: "url")
        /// A web origin, for browsers.
        public static let origin = IdentifierType(rawValue: "origin")
        /// No site but the keychain items of one service in an access group, `org.example.suite/tokens`.
        public static let keychain = IdentifierType(rawValue: "keychain")
    }

    /// The domain, address or origin; for keychain items the group and the service.
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

extension CredentialServiceIdentifier {
    init(_ service: ServiceIdentifier) { self.init(identifier: service.value, type: .init(rawValue: service.type)) }
}

extension ServiceIdentifier {
    init(_ service: CredentialServiceIdentifier) {
        self.init(type: service.type.rawValue, value: service.identifier)
    }
}
