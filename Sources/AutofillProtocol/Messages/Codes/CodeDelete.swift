// SPDX-License-Identifier: Apache-2.0

package struct CodeDelete: ProvableCall, InteractingCall {
    package typealias Answer = Changed
    package static let declaration = MethodDeclaration(
        .codeDelete, "Deletes the one-time codes of a credential.", .own, app: .associated, vault: .open,
        proof: .instead, prompt: true, repeatable: true)
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
        service: ServiceIdentifier, user: String, ifVersion: String? = nil, interaction: Interaction = .allow,
        proof: Proof? = nil
    ) {
        self.init(.saved(for: service, user: user), ifVersion: ifVersion, interaction: interaction, proof: proof)
    }

    package static func fields(_ field: inout some FieldVisitor<Self>) throws(ProtocolProblem) -> Self {
        let call = Self(
            try field(\.name), ifVersion: try field.ifVersion(\.ifVersion),
            interaction: try field.interaction(\.interaction), proof: try field.proof(\.proof))
        try call.name.ruleWithUser(&field)
        return call
    }
}
