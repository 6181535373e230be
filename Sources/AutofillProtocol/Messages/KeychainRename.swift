// SPDX-License-Identifier: Apache-2.0

package struct KeychainRename: ItemCall, ProvableCall, InteractingCall {
    package typealias Answer = KeychainSaved
    package static let declaration = MethodDeclaration(
        .keychainRename, "Gives an item another account.", .own, app: .registered, vault: .open, proof: .instead,
        prompt: true, repeatable: false)
    package let place: ItemPlace
    package let newAccount: String
    package let ifVersion: Int?
    package let interaction: Interaction
    package let proof: Proof?

    package static func fields(_ field: inout some FieldVisitor<Self>) throws(ProtocolProblem) -> Self {
        Self(
            place: try field(\.place),
            newAccount: try field(
                "newAccount", \.newAccount, .string(1...Limits.itemNameBytes), "One that has an item: `item-exists`."),
            ifVersion: try field.ifVersion(\.ifVersion),
            interaction: try field.interaction(\.interaction),
            proof: try field.proof(\.proof))
    }
}

extension KeychainRename {
    package init(
        service: String, account: String, newAccount: String, accessGroup: String? = nil, ifVersion: Int? = nil,
        interaction: Interaction = .allow, proof: Proof? = nil
    ) {
        self.init(
            place: ItemPlace(service: service, account: account, accessGroup: accessGroup),
            newAccount: newAccount, ifVersion: ifVersion, interaction: interaction, proof: proof)
    }
}
