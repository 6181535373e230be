// SPDX-License-Identifier: Apache-2.0

/// Removes a verifier, for good.
package struct VerifierDelete: PlainItemCall {
    package typealias Answer = Changed
    package static let method = Method.verifierDelete
    package let place: ItemPlace
    package let interaction: Interaction
    package let proof: Proof?

    package init(place: ItemPlace, interaction: Interaction, proof: Proof?) {
        self.place = place
        self.interaction = interaction
        self.proof = proof
    }
}
