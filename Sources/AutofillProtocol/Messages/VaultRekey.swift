// SPDX-License-Identifier: Apache-2.0
package import SecretMemory

/// Seals everything anew under a new key, behind these slots only.
package struct VaultRekey: ProvableCall {
    package static let method = Method.vaultRekey
    package let secrets: [NewSecret]
    package let proof: Proof?

    package init(secrets: [NewSecret], proof: Proof?) {
        self.secrets = secrets
        self.proof = proof
    }

    package init(from members: inout MemberReader) throws(ProtocolProblem) {
        secrets = try NewSecret.all(from: &members)
        proof = try members.optionalValue("proof")
    }

    package func write(to writer: inout JSONWriter) {
        for secret in secrets { secret.write(to: &writer) }
        if let proof { writer.member("proof", proof) }
    }

    package struct Answer: WireValue {
        package let slots: [SlotReport]
        /// The paths of the backups that the former secrets still open.
        package let backups: [String]
        /// The recovery key that was drawn, grouped. Told this once.
        package let recoveryKey: SecretBytes?

        package init(slots: [SlotReport], backups: [String], recoveryKey: SecretBytes?) {
            self.slots = slots
            self.backups = backups
            self.recoveryKey = recoveryKey
        }

        package init(from members: inout MemberReader) throws(ProtocolProblem) {
            slots = try members.values("slots")
            backups = try members.strings("backups")
            recoveryKey = try members.optionalSecret("recoveryKey", bytes: 1...Limits.recoveryKeyBytes)
        }

        package func write(to writer: inout JSONWriter) {
            writer.member("slots", slots)
            writer.member("backups", backups)
            if let recoveryKey { writer.member("recoveryKey", recoveryKey) }
        }
    }
}
