// SPDX-License-Identifier: Apache-2.0

package struct KeychainDelete: KeychainItemCall, InteractingCall {
    package typealias Answer = Changed
    package static let declaration = MethodDeclaration(
        .keychainDelete, "Deletes an item permanently.", .own, app: .registered, vault: .open, proof: .instead,
        prompt: true, repeatable: true)
    package let name: ItemName
    package let ifVersion: String?
    package let interaction: Interaction
    package let proof: Proof?

    package init(
        _ name: ItemName, ifVersion: String? = nil, interaction: Interaction = .allow, proof: Proof? = nil
    ) {
        (self.name, self.ifVersion, self.interaction, self.proof) = (name, ifVersion, interaction, proof)
    }

    package static func fields(_ field: inout some FieldVisitor<Self>) throws(ProtocolProblem) -> Self {
        let call = Self(
            try field(\.name), ifVersion: try field.ifVersion(\.ifVersion),
            interaction: try field.interaction(\.interaction), proof: try field.proof(\.proof))
        try field.ruleOfName()
        return call
    }
}
