// SPDX-License-Identifier: Apache-2.0

package struct KeychainDelete: ItemCall, ProvableCall, InteractingCall {
    package typealias Answer = Changed
    package static let declaration = MethodDeclaration(
        .keychainDelete, "Removes an item, for good.", .own, app: .registered, vault: .open, proof: .instead,
        prompt: true, repeatable: true)
    package let place: ItemPlace
    package let ifVersion: Int?
    package let interaction: Interaction
    package let proof: Proof?

    package static func fields(_ field: inout some FieldVisitor<Self>) throws(ProtocolProblem) -> Self {
        Self(
            place: try field(\.place),
            ifVersion: try field.ifVersion(\.ifVersion),
            interaction: try field.interaction(\.interaction),
            proof: try field.proof(\.proof))
    }
}

extension KeychainDelete {
    package init(
        service: String, account: String, accessGroup: String? = nil, ifVersion: Int? = nil,
        interaction: Interaction = .allow, proof: Proof? = nil
    ) {
        self.init(
            place: ItemPlace(service: service, account: account, accessGroup: accessGroup),
            ifVersion: ifVersion, interaction: interaction, proof: proof)
    }
}
