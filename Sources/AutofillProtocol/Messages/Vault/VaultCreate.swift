// SPDX-License-Identifier: Apache-2.0
package import SecretMemory

package struct VaultCreate: MethodCall {
    package static let declaration = MethodDeclaration(
        .vaultCreate, "Creates the vault, with one slot for each given secret. Fails if there is a vault.", .administer,
        vault: .missing, proof: .itself, outsideSandbox: true, repeatable: false)
    package let secrets: [NewSecret]

    package init(secrets: [NewSecret]) { self.secrets = secrets }

    package static func fields(_ field: inout some FieldVisitor<Self>) throws(ProtocolProblem) -> Self {
        Self(secrets: try field { NewSecrets(all: $0.secrets) }.all)
    }

    package struct Answer: Message {
        package let slots: [SlotReport]
        package let recoveryKey: SecretBytes?

        package init(slots: [SlotReport], recoveryKey: SecretBytes?) {
            (self.slots, self.recoveryKey) = (slots, recoveryKey)
        }

        package static func fields(_ field: inout some FieldVisitor<Self>) throws(ProtocolProblem) -> Self {
            Self(
                slots: try field("slots", \.slots, .objects(), "What each slot protects from, and what not."),
                recoveryKey: try field(
                    optional: "recoveryKey", \.recoveryKey, .secret(1...Limits.recoveryKeyBytes),
                    "The generated recovery key, in groups. It is returned only once."))
        }
    }
}
