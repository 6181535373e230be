// SPDX-License-Identifier: Apache-2.0
import AutofillProtocol
public import FoundationEssentials

/// A credential in the vault, without its password: Apple's `ASPasswordCredentialIdentity`.
public struct SavedCredential: Hashable, Sendable, Identifiable {
    /// What is saved. Later versions of the service may name others, which are not filled.
    public struct Kind: ProtocolWord {
        /// As it stands on the wire.
        public let rawValue: String

        /// A word as it stands on the wire.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// A user name and a password.
        public static let password = Self(rawValue: "password")
    }

    /// The name of the object, for ever.
    public let id: String
    /// What it is.
    public let kind: Kind
    /// All that it is for, the site that it was saved for first.
    public let services: [CredentialService]
    /// The user name, as it was first saved.
    public let user: String
    /// What the person calls it; empty for nothing.
    public let label: String
    /// Words that the person gave it.
    public let tags: [String]
    /// What it is filed under; empty for nothing.
    public let collection: String
    /// Another one after each change; give it as `ifVersion` to change only what you have seen.
    public let version: String
    /// When it was made.
    public let created: Date
    /// When it was changed.
    public let modified: Date
    /// When it was last filled.
    public let lastUsed: Date?

    /// The site that it was saved for.
    public var service: CredentialServiceIdentifier { services[0].identifier }

    init(_ summary: CredentialSummary) throws(AutofillError) {
        guard !summary.services.isEmpty else { throw .answerNotUnderstood("a credential without a service") }
        id = summary.credential
        kind = Kind(rawValue: summary.kind)
        services = summary.services.map(CredentialService.init)
        user = summary.user
        label = summary.label
        tags = summary.tags
        collection = summary.collection
        version = summary.version
        created = try Date(wire: summary.created)
        modified = try Date(wire: summary.modified)
        lastUsed = try date(summary.lastUsed)
    }
}

/// One of the services that a credential is for.
public struct CredentialService: Hashable, Sendable {
    /// Where it is filled besides the service itself.
    public struct Match: ProtocolWord {
        /// As it stands on the wire.
        public let rawValue: String

        /// A word as it stands on the wire.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// Nowhere.
        public static let exact = Self(rawValue: "exact")
        /// In browsers at every host of the same registrable domain.
        public static let site = Self(rawValue: "site")
    }

    /// The service.
    public let identifier: CredentialServiceIdentifier
    /// nil for what is usual: ``Match/site`` for domains and origins.
    public let match: Match?

    /// - Parameters:
    ///   - identifier: the service.
    ///   - match: where it is filled besides; nil for what is usual.
    public init(_ identifier: CredentialServiceIdentifier, match: Match? = nil) {
        self.identifier = identifier
        self.match = match
    }

    init(_ service: SavedService) {
        self.init(CredentialServiceIdentifier(service.service), match: service.match.map(Match.init))
    }

    var wire: SavedService { SavedService(ServiceIdentifier(identifier), match: match?.rawValue) }
}

/// What became of a credential that was to be saved.
public struct SaveResult: Hashable, Sendable {
    /// The credential in the vault.
    public let id: String
    /// False where the very same was saved before.
    public let isChanged: Bool

    init(_ answer: SavedAnswer) {
        id = answer.credential
        isChanged = answer.changed
    }
}
