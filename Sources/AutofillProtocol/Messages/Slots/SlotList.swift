// SPDX-License-Identifier: Apache-2.0

package struct SlotList: ProofCall {
    package static let declaration = MethodDeclaration(
        .slotList, "Lists the slots of the vault.", .administer, vault: .open, proof: .needed, repeatable: true)
    package let proof: Proof?

    package init(proof: Proof?) { self.proof = proof }

    package struct Answer: Message, Hashable {
        package let slots: [SlotEntry]

        package init(slots: [SlotEntry]) { self.slots = slots }

        package static func fields(_ field: inout some FieldVisitor<Self>) throws(ProtocolProblem) -> Self {
            Self(
                slots: try field("slots", \.slots, .objects(), "Lists the slots of the vault."))
        }
    }
}
