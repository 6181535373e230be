// SPDX-License-Identifier: Apache-2.0
package import SecretMemory

/// What is left of a secret that is no longer a slot's.
package struct ChangedSlot: Message {
    package let backups: [String]
    package let recoveryKey: SecretBytes?

    package init(backups: [String], recoveryKey: SecretBytes? = nil) {
        (self.backups, self.recoveryKey) = (backups, recoveryKey)
    }

    package static func fields(_ field: inout some FieldVisitor<Self>) throws(ProtocolProblem) -> Self {
        Self(
            backups: try field(
                "backups", \.backups, .strings(), "The paths of the backups that the former secret still opens."),
            recoveryKey: try field(
                optional: "recoveryKey", \.recoveryKey, .secret(1...Limits.recoveryKeyBytes),
                "The generated recovery key, in groups. It is returned only once."))
    }
}
