// SPDX-License-Identifier: Apache-2.0
package import Credentials

/// A credential without its secrets, and without its custom fields.
package struct CredentialSummary: Hashable, Sendable {
    package let id: ObjectID
    package let version: UInt64
    package let kind: Credential.Kind
    /// The first one is that which it was saved for.
    package let services: [CredentialService]
    package let user: String
    package let created: Timestamp
    package let changed: Timestamp
    package let lastUsed: Timestamp?
    package let deleted: Timestamp?
    package let rules: String?
    package let hasOneTimeCode: Bool
    package let label: String
    package let tags: [String]
    package let collection: String
    /// Who set these, if anybody has.
    package let detailsWriter: Subject?

    /// `lastUsed` is the time in memory, where that is later than the one in the file.
    package init(_ credential: Credential, lastUsed: Timestamp? = nil) {
        id = credential.id
        version = credential.version
        kind = credential.kind
        services = credential.services
        user = credential.user
        created = credential.created
        changed = credential.changed
        self.lastUsed = [credential.lastUsed, lastUsed].compactMap { $0 }.max()
        deleted = credential.deleted
        rules = credential.rules
        hasOneTimeCode = credential.oneTimeCode != nil
        label = credential.details.label
        tags = credential.details.tags
        collection = credential.details.collection
        detailsWriter = credential.details.writer
    }

    /// The one that it was saved for.
    package var service: Service { services[0].service }

    /// Its position in the list of its service's credentials.
    package var position: CredentialPosition { CredentialPosition(of: self) }
}
