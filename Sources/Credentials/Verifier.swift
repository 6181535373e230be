// SPDX-License-Identifier: Apache-2.0
package import SecretMemory

/// The hash that a password is checked against: a PHC string of scrypt with its own salt.
package struct Verifier: Sendable {
    package let id: ObjectID
    /// 1 when made, one more at each change.
    package var version: UInt64
    package let accessGroup: String
    package let service: String
    package let account: String
    /// `$scrypt$ln=…,r=…,p=…$salt$hash`.
    package var hash: SecretBytes
    /// Wrong passwords since the last correct one; the delay grows with them.
    package var failures: UInt32
    /// No check is made before; nil: no check has failed.
    package var notBefore: Timestamp?
    package let created: Timestamp
    package var changed: Timestamp
    /// The subject that wrote the hash last; nil for one written before this was kept.
    package var writer: Subject?

    package init(
        id: ObjectID, version: UInt64 = 1, accessGroup: String, service: String, account: String, hash: SecretBytes,
        failures: UInt32 = 0, notBefore: Timestamp? = nil, created: Timestamp, changed: Timestamp,
        writer: Subject? = nil
    ) {
        self.id = id
        self.version = version
        self.accessGroup = accessGroup
        self.service = service
        self.account = account
        self.hash = hash
        self.failures = failures
        self.notBefore = notBefore
        self.created = created
        self.changed = changed
        self.writer = writer
    }
}
