// SPDX-License-Identifier: Apache-2.0
package import SecretMemory

/// What is left of a secret that is no longer a slot's.
package struct ChangedSlot: WireValue {
    /// The paths of the backups that the former secret still opens.
    package let backups: [String]
    /// The recovery key that was drawn, grouped. Told this once.
    package let recoveryKey: SecretBytes?

    package init(backups: [String], recoveryKey: SecretBytes? = nil) {
        self.backups = backups
        self.recoveryKey = recoveryKey
    }

    package init(from members: inout MemberReader) throws(ProtocolProblem) {
        backups = try members.strings("backups")
        recoveryKey = try members.optionalSecret("recoveryKey", bytes: 1...Limits.recoveryKeyBytes)
    }

    package func write(to writer: inout JSONWriter) {
        writer.member("backups", backups)
        if let recoveryKey { writer.member("recoveryKey", recoveryKey) }
    }
}
