// SPDX-License-Identifier: Apache-2.0
import AutofillProtocol
public import FoundationEssentials

/// A credential in the vault, without its password: Apple's `ASPasswordCredentialIdentity`.
public struct SavedCredential: Hashable, Sendable, Identifiable {
    /// The name of the object, for ever.
    public let id: String
    /// The site.
    public let service: CredentialServiceIdentifier
    /// The user name, as it was first saved.
    public let user: String
    /// Grows with every change; give it as `ifVersion` to change only what you have seen.
    public let version: Int
    /// When it was made.
    public let created: Date
    /// When it was changed.
    public let changed: Date
    /// When it was last filled.
    public let lastUsed: Date?

    init(_ summary: CredentialSummary) throws(AutofillError) {
        id = summary.credential
        service = CredentialServiceIdentifier(summary.service)
        user = summary.user
        version = summary.version
        created = try Date(wire: summary.created)
        changed = try Date(wire: summary.changed)
        lastUsed = try date(summary.lastUsed)
    }
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
