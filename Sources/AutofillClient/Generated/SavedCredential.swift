// SPDX-License-Identifier: Apache-2.0
// Generated from Sources/AutofillProtocol by Tests/AutofillProtocolTests/Clients. Do not edit.
import AutofillProtocol
public import FoundationEssentials

/// A credential in the vault, without its password: Apple's `ASPasswordCredentialIdentity`.
public struct SavedCredential: Hashable, Sendable, Identifiable {
    /// Its id.
    public let id: String
    /// What it is.
    public let kind: Kind
    /// All services that it is for; the first is the one that it was saved for.
    public let services: [CredentialService]
    /// The user name.
    public let user: String
    /// The user's name for it.
    public let label: String
    /// The user's tags.
    public let tags: [String]
    /// The user's collection that it is in.
    public let collection: String
    /// Another one after each change; pass it as `ifVersion` to change only this version.
    public let version: String
    /// When it was first saved.
    public let created: Date
    /// When it was last changed.
    public let modified: Date
    /// When it was last filled.
    public let lastUsed: Date?

    init(_ report: CredentialSummary) throws(AutofillError) {
        id = report.credential
        kind = Kind(rawValue: report.kind)
        services = try Self.services(report)
        user = report.user
        label = report.label
        tags = report.tags
        collection = report.collection
        version = report.version
        created = try Date(wire: report.created)
        modified = try Date(wire: report.modified)
        lastUsed = try date(report.lastUsed)
    }
}

extension SavedCredential {
    /// The kind of a credential. Later versions of the service may have other kinds, which are not filled.
    public struct Kind: ProtocolWord {
        /// The value on the wire.
        public let rawValue: String

        /// - Parameter rawValue: the value on the wire.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// A user name and a password.
        public static let password = Self(rawValue: "password")
    }
}
