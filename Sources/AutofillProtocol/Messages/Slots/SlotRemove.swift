// SPDX-License-Identifier: Apache-2.0

package struct SlotRemove: ProvableCall {
    package typealias Answer = ChangedSlot
    package static let declaration = MethodDeclaration(
        .slotRemove, "Removes a slot of the vault; never the last one.", .administer, vault: .open,
        proof: .needed, repeatable: false)
    package let slot: Int
    package let proof: Proof?

    package init(slot: Int, proof: Proof?) { (self.slot, self.proof) = (slot, proof) }

    package static func fields(_ field: inout some FieldVisitor<Self>) throws(ProtocolProblem) -> Self {
        Self(
            slot: try field("slot", \.slot, .integer(1...Int.max), "The number of the slot."),
            proof: try field.proof(\.proof))
    }
}
