// SPDX-License-Identifier: Apache-2.0
package import Credentials

/// A credential without its secrets.
package struct CredentialSummary: Hashable, Sendable {
    package let id: ObjectID
    package let version: UInt64
    package let service: Service
    package let user: String
    package let created: Timestamp
    package let changed: Timestamp
    package let lastUsed: Timestamp?
    package let deleted: Timestamp?
    package let rules: String?
    package let hasOneTimeCode: Bool
    package let hasNotes: Bool

    /// `lastUsed` is the time in memory, where that is later than the one in the file.
    init(_ credential: Credential, lastUsed: Timestamp? = nil) {
        id = credential.id
        version = credential.version
        service = credential.service
        user = credential.user
        created = credential.created
        changed = credential.changed
        self.lastUsed = [credential.lastUsed, lastUsed].compactMap { $0 }.max()
        deleted = credential.deleted
        rules = credential.rules
        hasOneTimeCode = credential.oneTimeCode != nil
        hasNotes = credential.notes != nil
    }

    /// Its place in the list of its service's credentials.
    package var position: CredentialPosition { CredentialPosition(of: self) }
}
