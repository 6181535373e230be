// SPDX-License-Identifier: Apache-2.0
package import SecretMemory

package struct KeychainGet: PlainItemCall, InteractingCall {
    package static let declaration = MethodDeclaration(
        .keychainGet, "An item with its bytes: a recorded release.", .release, app: .registered, grant: true,
        vault: .open, proof: .instead, prompt: true, repeatable: true)
    package let place: ItemPlace
    package let interaction: Interaction
    package let proof: Proof?

    package init(place: ItemPlace, interaction: Interaction, proof: Proof?) {
        (self.place, self.interaction, self.proof) = (place, interaction, proof)
    }

    package struct Answer: Message {
        package let summary: KeychainItemSummary
        package let data: SecretBytes

        package init(summary: KeychainItemSummary, data: SecretBytes) {
            (self.summary, self.data) = (summary, data)
        }

        package static func fields(_ field: inout some FieldVisitor<Self>) throws(ProtocolProblem) -> Self {
            Self(
                summary: try field(\.summary),
                data: try field("data", \.data, .data(0...Limits.itemDataBytes), "The item's bytes."))
        }
    }
}
