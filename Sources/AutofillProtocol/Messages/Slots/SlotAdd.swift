// SPDX-License-Identifier: Apache-2.0
package import SecretMemory

package struct SlotAdd: ProvableCall {
    package static let declaration = MethodDeclaration(
        .slotAdd, "Adds a slot to the vault.", .administer, vault: .open, proof: .needed, repeatable: false)
    package let secret: NewSecret
    package let label: String?
    package let proof: Proof?

    package init(secret: NewSecret, label: String? = nil, proof: Proof?) {
        (self.secret, self.label, self.proof) = (secret, label, proof)
    }

    package static func fields(_ field: inout some FieldVisitor<Self>) throws(ProtocolProblem) -> Self {
        Self(
            secret: try field.secret(\.secret),
            label: try field(
                optional: "label", \.label, .string(1...Limits.labelBytes), "The name for people."),
            proof: try field.proof(\.proof))
    }

    package struct Answer: Message {
        package let slot: Int
        package let kind: String
        package let protects: String
        package let recoveryKey: SecretBytes?

        package init(slot: Int, kind: String, protects: String, recoveryKey: SecretBytes?) {
            (self.slot, self.kind, self.protects, self.recoveryKey) = (slot, kind, protects, recoveryKey)
        }

        package static func fields(_ field: inout some FieldVisitor<Self>) throws(ProtocolProblem) -> Self {
            Self(
                slot: try field("slot", \.slot, .integer(1...Int.max), "The number of the slot."),
                kind: try field("kind", \.kind, .word(Words.slotKinds, 1...32), "What opens it."),
                protects: try field("protects", \.protects, .string(0...1024), "What it protects from, and what not."),
                recoveryKey: try field(
                    optional: "recoveryKey", \.recoveryKey, .secret(1...Limits.recoveryKeyBytes),
                    "The generated recovery key, in groups. It is returned only once."))
        }
    }
}
