// SPDX-License-Identifier: Apache-2.0
import AutofillProtocol

/// The site that a credential belongs to: Apple's `ASCredentialServiceIdentifier`.
public struct CredentialServiceIdentifier: Hashable, Sendable {
    /// The type of an identifier. Later versions of the service may have others.
    public struct IdentifierType: RawRepresentable, Hashable, Sendable {
        /// The value on the wire.
        public let rawValue: String

        /// - Parameter rawValue: the value on the wire.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// A domain name, `example.com`.
        public static let domain = IdentifierType(rawValue: "domain")
        /// Any string, byte for byte: for credential helpers.
        public static let url = IdentifierType(rawValue: "url")
        /// The origin of a web page, `https://example.com`: for browsers and credential helpers.
        public static let origin = IdentifierType(rawValue: "origin")
    }

    /// The domain, string or origin.
    public let identifier: String
    /// The type of the identifier.
    public let type: IdentifierType

    /// - Parameters:
    ///   - identifier: for a domain one of the app's associated domains, 1 to 253 bytes, as A-label or ASCII; for an origin its
    ///     serialisation; for a URL 1 to 2,048 bytes without control characters.
    ///   - type: the type of the identifier.
    public init(identifier: String, type: IdentifierType) {
        self.identifier = identifier
        self.type = type
    }

    /// Returns the identifier of a domain.
    public static func domain(_ name: String) -> CredentialServiceIdentifier {
        CredentialServiceIdentifier(identifier: name, type: .domain)
    }

    /// Returns the identifier of a string that a credential helper received.
    public static func url(_ text: String) -> CredentialServiceIdentifier {
        CredentialServiceIdentifier(identifier: text, type: .url)
    }

    /// Returns the identifier of a web page's origin.
    public static func origin(_ text: String) -> CredentialServiceIdentifier {
        CredentialServiceIdentifier(identifier: text, type: .origin)
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
