// SPDX-License-Identifier: Apache-2.0

package struct AutofillDecline: ProvableCall {
    package typealias Answer = Changed
    package static let declaration = MethodDeclaration(
        .autofillDecline, "Declines an offer. The password can still be found, but is not offered again.", .own,
        app: .associated, vault: .open, proof: .instead, prompt: true, repeatable: true)
    package let offer: String
    package let proof: Proof?

    package init(offer: String, proof: Proof? = nil) { (self.offer, self.proof) = (offer, proof) }

    package static func fields(_ field: inout some FieldVisitor<Self>) throws(ProtocolProblem) -> Self {
        Self(
            offer: try field("offer", \.offer, .id, "The offer."),
            proof: try field.proof(\.proof, "Declines any app's offer."))
    }
}
