// SPDX-License-Identifier: Apache-2.0

package struct SlotChange: ProvableCall {
    package typealias Answer = ChangedSlot
    package static let declaration = MethodDeclaration(
        .slotChange, "Changes the secret of a slot. No record is rewritten.", .administer, vault: .open, proof: .needed,
        repeatable: false)
    package let slot: Int
    package let secret: NewSecret
    package let label: String?
    package let proof: Proof?

    package init(slot: Int, secret: NewSecret, label: String? = nil, proof: Proof?) {
        (self.slot, self.secret, self.label, self.proof) = (slot, secret, label, proof)
    }

    package static func fields(_ field: inout some FieldVisitor<Self>) throws(ProtocolProblem) -> Self {
        Self(
            slot: try field("slot", \.slot, .integer(1...Int.max), "The slot."),
            secret: try field.secret(\.secret),
            label: try field(
                optional: "label", \.label, .string(1...Limits.labelBytes), "The name for people."),
            proof: try field.proof(\.proof))
    }
}
