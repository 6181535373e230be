// SPDX-License-Identifier: Apache-2.0

/// Gives a slot another secret; no record is rewritten.
package struct SlotChange: ProvableCall {
    package typealias Answer = ChangedSlot
    package static let method = Method.slotChange
    package let slot: Int
    package let secret: NewSecret
    package let label: String?
    package let proof: Proof?

    package init(slot: Int, secret: NewSecret, label: String? = nil, proof: Proof?) {
        self.slot = slot
        self.secret = secret
        self.label = label
        self.proof = proof
    }

    package init(from members: inout MemberReader) throws(ProtocolProblem) {
        slot = try members.integer("slot", in: 1...Int.max)
        secret = try NewSecret.one(from: &members)
        label = try members.optionalString("label", bytes: 1...Limits.labelBytes)
        proof = try members.optionalValue("proof")
    }

    package func write(to writer: inout JSONWriter) {
        writer.member("slot", slot)
        secret.write(to: &writer)
        if let label { writer.member("label", label) }
        if let proof { writer.member("proof", proof) }
    }
}
