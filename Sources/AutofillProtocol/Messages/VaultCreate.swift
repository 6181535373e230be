// SPDX-License-Identifier: Apache-2.0
package import SecretMemory

/// Makes the vault, with one slot for each secret given. Works only where none is.
package struct VaultCreate: MethodCall {
    package static let method = Method.vaultCreate
    package let secrets: [NewSecret]

    package init(secrets: [NewSecret]) { self.secrets = secrets }

    package init(from members: inout MemberReader) throws(ProtocolProblem) {
        secrets = try NewSecret.all(from: &members)
    }

    package func write(to writer: inout JSONWriter) {
        for secret in secrets { secret.write(to: &writer) }
    }

    package struct Answer: WireValue {
        /// What each slot protects from, and what not.
        package let slots: [SlotReport]
        /// The recovery key that was drawn, grouped. Told this once.
        package let recoveryKey: SecretBytes?

        package init(slots: [SlotReport], recoveryKey: SecretBytes?) {
            self.slots = slots
            self.recoveryKey = recoveryKey
        }

        package init(from members: inout MemberReader) throws(ProtocolProblem) {
            slots = try members.values("slots")
            recoveryKey = try members.optionalSecret("recoveryKey", bytes: 1...Limits.recoveryKeyBytes)
        }

        package func write(to writer: inout JSONWriter) {
            writer.member("slots", slots)
            if let recoveryKey { writer.member("recoveryKey", recoveryKey) }
        }
    }
}
