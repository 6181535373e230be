// SPDX-License-Identifier: Apache-2.0
package import SecretMemory

package struct VaultRekey: ProvableCall {
    package static let declaration = MethodDeclaration(
        .vaultRekey, "Seals everything again with a new key, and keeps only these slots.", .administer, vault: .open,
        proof: .needed, repeatable: false)
    package let secrets: [NewSecret]
    package let proof: Proof?

    package init(secrets: [NewSecret], proof: Proof?) {
        (self.secrets, self.proof) = (secrets, proof)
    }

    package static func fields(_ field: inout some FieldVisitor<Self>) throws(ProtocolProblem) -> Self {
        Self(secrets: try field { NewSecrets(all: $0.secrets) }.all, proof: try field.proof(\.proof))
    }

    package struct Answer: Message {
        package let slots: [SlotReport]
        package let backups: [String]
        package let uncheckedBackups: [String]
        package let recoveryKey: SecretBytes?

        package init(
            slots: [SlotReport], backups: [String], uncheckedBackups: [String], recoveryKey: SecretBytes?
        ) {
            (self.slots, self.backups, self.uncheckedBackups) = (slots, backups, uncheckedBackups)
            self.recoveryKey = recoveryKey
        }

        package static func fields(_ field: inout some FieldVisitor<Self>) throws(ProtocolProblem) -> Self {
            Self(
                slots: try field("slots", \.slots, .objects(), "Lists the slots of the vault."),
                backups: try field(
                    "backups", \.backups, .strings(), "The paths of the backups that the former secrets still open."),
                uncheckedBackups: try field.uncheckedBackups(\.uncheckedBackups),
                recoveryKey: try field(
                    optional: "recoveryKey", \.recoveryKey, .secret(1...Limits.recoveryKeyBytes),
                    "The generated recovery key, in groups. It is returned only once."))
        }
    }
}
