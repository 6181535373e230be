// SPDX-License-Identifier: Apache-2.0

package struct VerifierDelete: PlainItemCall, InteractingCall {
    package typealias Answer = Changed
    package static let declaration = MethodDeclaration(
        .verifierDelete, "Deletes a verifier permanently.", .own, app: .registered, vault: .open, proof: .instead,
        prompt: true, repeatable: true)
    package let place: ItemPlace
    package let interaction: Interaction
    package let proof: Proof?

    package init(place: ItemPlace, interaction: Interaction, proof: Proof?) {
        (self.place, self.interaction, self.proof) = (place, interaction, proof)
    }
}
