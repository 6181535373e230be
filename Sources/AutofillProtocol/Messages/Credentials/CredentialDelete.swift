// SPDX-License-Identifier: Apache-2.0

package struct CredentialDelete: ProvableCall, InteractingCall {
    package typealias Answer = Changed
    package static let declaration = MethodDeclaration(
        .credentialDelete, "Deletes a credential. It can be restored for 30 days.", .release, app: .associated,
        grant: true, vault: .open, proof: .instead, prompt: true, repeatable: true)
    package let name: CredentialName
    package let ifVersion: String?
    package let interaction: Interaction
    package let proof: Proof?

    package init(
        _ name: CredentialName, ifVersion: String? = nil, interaction: Interaction = .allow, proof: Proof? = nil
    ) {
        (self.name, self.ifVersion, self.interaction, self.proof) = (name, ifVersion, interaction, proof)
    }

    package init(
        credential: String, ifVersion: String? = nil, interaction: Interaction = .allow, proof: Proof? = nil
    ) {
        self.init(.id(credential), ifVersion: ifVersion, interaction: interaction, proof: proof)
    }

    /// Not by a user name, which the second time names none.
    package var isRepeatable: Bool { name.id != nil }

    package static func fields(_ field: inout some FieldVisitor<Self>) throws(ProtocolProblem) -> Self {
        let call = Self(
            try field(\.name), ifVersion: try field.ifVersion(\.ifVersion),
            interaction: try field.interaction(\.interaction), proof: try field.proof(\.proof))
        try call.name.ruleWithUser(&field)
        return call
    }
}
