// SPDX-License-Identifier: Apache-2.0
package import SecretMemory

/// A generic keychain entry: secret bytes under service, account and access group.
package struct Item: Sendable {
    package let id: ObjectID
    /// 1 when made, one more at each change.
    package var version: UInt64
    package let accessGroup: String
    package let service: String
    /// As first saved; looked up by the UTF-8 of its NFC form, like `service`.
    package var account: String
    package var data: SecretBytes
    package let created: Timestamp
    package var changed: Timestamp
    /// The subject that wrote the data last; nil for one written before this was kept.
    package var writer: Subject?

    package init(
        id: ObjectID, version: UInt64 = 1, accessGroup: String, service: String, account: String, data: SecretBytes,
        created: Timestamp, changed: Timestamp, writer: Subject? = nil
    ) {
        self.id = id
        self.version = version
        self.accessGroup = accessGroup
        self.service = service
        self.account = account
        self.data = data
        self.created = created
        self.changed = changed
        self.writer = writer
    }
}
