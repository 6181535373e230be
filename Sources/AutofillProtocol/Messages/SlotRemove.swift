// SPDX-License-Identifier: Apache-2.0

/// Takes a way to open the vault away; never the last one.
package struct SlotRemove: ProvableCall {
    package typealias Answer = ChangedSlot
    package static let method = Method.slotRemove
    package let slot: Int
    package let proof: Proof?

    package init(slot: Int, proof: Proof?) {
        self.slot = slot
        self.proof = proof
    }

    package init(from members: inout MemberReader) throws(ProtocolProblem) {
        slot = try members.integer("slot", in: 1...Int.max)
        proof = try members.optionalValue("proof")
    }

    package func write(to writer: inout JSONWriter) {
        writer.member("slot", slot)
        if let proof { writer.member("proof", proof) }
    }
}
