// SPDX-License-Identifier: Apache-2.0
package import SecretMemory

/// What is left of a secret that is no longer a slot's.
package struct ChangedSlot: Message {
    package let backups: [String]
    package let uncheckedBackups: [String]
    package let recoveryKey: SecretBytes?

    package init(backups: [String], uncheckedBackups: [String] = [], recoveryKey: SecretBytes? = nil) {
        (self.backups, self.uncheckedBackups, self.recoveryKey) = (backups, uncheckedBackups, recoveryKey)
    }

    package static func fields(_ field: inout some FieldVisitor<Self>) throws(ProtocolProblem) -> Self {
        Self(
            backups: try field(
                "backups", \.backups, .strings(), "The paths of the backups that the former secret still opens."),
            uncheckedBackups: try field.uncheckedBackups(\.uncheckedBackups),
            recoveryKey: try field(
                optional: "recoveryKey", \.recoveryKey, .secret(1...Limits.recoveryKeyBytes),
                "The generated recovery key, in groups. It is returned only once."))
    }
}
