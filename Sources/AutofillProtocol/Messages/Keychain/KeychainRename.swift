// SPDX-License-Identifier: Apache-2.0

package struct KeychainRename: KeychainItemCall, InteractingCall {
    package typealias Answer = KeychainSaved
    package static let declaration = MethodDeclaration(
        .keychainRename, "Changes the namespace and account of an item.", .own, app: .registered, vault: .open,
        proof: .instead,
        prompt: true, repeatable: false)
    package let name: ItemName
    package let newPlace: PlaceName
    package let ifVersion: String?
    package let interaction: Interaction
    package let proof: Proof?

    package init(
        _ name: ItemName, newPlace: PlaceName, ifVersion: String? = nil, interaction: Interaction = .allow,
        proof: Proof? = nil
    ) {
        (self.name, self.newPlace, self.ifVersion) = (name, newPlace, ifVersion)
        (self.interaction, self.proof) = (interaction, proof)
    }

    package static func fields(_ field: inout some FieldVisitor<Self>) throws(ProtocolProblem) -> Self {
        let call = Self(
            try field(\.name),
            newPlace: try field(
                "newPlace", \.newPlace, .object(),
                "The new namespace and account; refused with `item-exists` if an item has them."),
            ifVersion: try field.ifVersion(\.ifVersion), interaction: try field.interaction(\.interaction),
            proof: try field.proof(\.proof))
        try field.ruleOfName()
        return call
    }
}
