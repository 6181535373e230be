// SPDX-License-Identifier: Apache-2.0
package import SecretMemory

package struct KeychainGet: KeychainItemCall, InteractingCall {
    package static let declaration = MethodDeclaration(
        .keychainGet, "Returns an item with its bytes: a recorded release.", .release, app: .registered, grant: true,
        vault: .open, proof: .instead, prompt: true, repeatable: true)
    package let name: ItemName
    package let interaction: Interaction
    package let proof: Proof?

    package init(_ name: ItemName, interaction: Interaction = .allow, proof: Proof? = nil) {
        (self.name, self.interaction, self.proof) = (name, interaction, proof)
    }

    package static func fields(_ field: inout some FieldVisitor<Self>) throws(ProtocolProblem) -> Self {
        let call = Self(
            try field(\.name), interaction: try field.interaction(\.interaction), proof: try field.proof(\.proof))
        try field.ruleOfName()
        return call
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
