// SPDX-License-Identifier: Apache-2.0
package import SecretMemory

/// A user and a password for a service.
package struct Credential: Sendable {
    /// A password that this credential had before.
    package struct Previous: Sendable {
        package let password: SecretBytes
        /// When it was replaced.
        package let replaced: Timestamp

        package init(password: SecretBytes, replaced: Timestamp) {
            self.password = password
            self.replaced = replaced
        }
    }

    package let id: ObjectID
    /// 1 when made, one more at each change.
    package var version: UInt64
    package let service: Service
    /// As first saved; looked up by the UTF-8 of its NFC form.
    package let user: String
    package var password: SecretBytes
    /// The password rules it was made under, in canonical form.
    package var rules: String?
    /// The secret of an `otpauth://` URI, the URI included.
    package var oneTimeCode: SecretBytes?
    package var notes: SecretBytes?
    package var created: Timestamp
    package var changed: Timestamp
    package var lastUsed: Timestamp?
    /// The subject that wrote the password last (see `Subject`): it may repeat its own save.
    package var writer: Subject
    /// At most `Credential.previousLimit`, the newest first.
    package var previous: [Previous]
    /// Set while it is deleted but recoverable.
    package var deleted: Timestamp?

    /// How many previous passwords are kept.
    package static let previousLimit = 10

    package init(
        id: ObjectID, version: UInt64 = 1, service: Service, user: String, password: SecretBytes, rules: String? = nil,
        oneTimeCode: SecretBytes? = nil, notes: SecretBytes? = nil, created: Timestamp, changed: Timestamp,
        lastUsed: Timestamp? = nil, writer: Subject, previous: [Previous] = [], deleted: Timestamp? = nil
    ) {
        self.id = id
        self.version = version
        self.service = service
        self.user = user
        self.password = password
        self.rules = rules
        self.oneTimeCode = oneTimeCode
        self.notes = notes
        self.created = created
        self.changed = changed
        self.lastUsed = lastUsed
        self.writer = writer
        self.previous = previous
        self.deleted = deleted
    }
}
