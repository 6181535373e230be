// SPDX-License-Identifier: Apache-2.0

/// The person does not want the password. It stays findable, but is not offered again.
package struct AutofillDecline: ProvableCall {
    package typealias Answer = Changed
    package static let method = Method.autofillDecline
    package let offer: String
    /// Declines any app's offer.
    package let proof: Proof?

    package init(offer: String, proof: Proof? = nil) {
        self.offer = offer
        self.proof = proof
    }

    package init(from members: inout MemberReader) throws(ProtocolProblem) {
        offer = try members.string("offer", bytes: 1...64)
        proof = try members.optionalValue("proof")
    }

    package func write(to writer: inout JSONWriter) {
        writer.member("offer", offer)
        if let proof { writer.member("proof", proof) }
    }
}
