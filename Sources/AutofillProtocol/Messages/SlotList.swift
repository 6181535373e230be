// SPDX-License-Identifier: Apache-2.0

/// The ways to open the vault.
package struct SlotList: ProvableCall {
    package static let method = Method.slotList
    package let proof: Proof?

    package init(proof: Proof?) { self.proof = proof }

    package init(from members: inout MemberReader) throws(ProtocolProblem) {
        proof = try members.optionalValue("proof")
    }

    package func write(to writer: inout JSONWriter) {
        if let proof { writer.member("proof", proof) }
    }

    package struct Answer: WireValue, Hashable {
        package let slots: [SlotEntry]

        package init(slots: [SlotEntry]) { self.slots = slots }

        package init(from members: inout MemberReader) throws(ProtocolProblem) {
            slots = try members.values("slots")
        }

        package func write(to writer: inout JSONWriter) { writer.member("slots", slots) }
    }
}
