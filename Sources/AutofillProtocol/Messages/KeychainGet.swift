// SPDX-License-Identifier: Apache-2.0
package import SecretMemory

/// An item with its bytes: a recorded release.
package struct KeychainGet: PlainItemCall {
    package static let method = Method.keychainGet
    package let place: ItemPlace
    package let interaction: Interaction
    package let proof: Proof?

    package init(place: ItemPlace, interaction: Interaction, proof: Proof?) {
        self.place = place
        self.interaction = interaction
        self.proof = proof
    }

    package struct Answer: WireValue {
        package let summary: KeychainItemSummary
        package let data: SecretBytes

        package init(summary: KeychainItemSummary, data: SecretBytes) {
            self.summary = summary
            self.data = data
        }

        package init(from members: inout MemberReader) throws(ProtocolProblem) {
            summary = try KeychainItemSummary(from: &members)
            data = try members.data("data", bytes: 0...Limits.itemDataBytes)
        }

        package func write(to writer: inout JSONWriter) {
            summary.write(to: &writer)
            writer.member("data", base64: data)
        }
    }
}
