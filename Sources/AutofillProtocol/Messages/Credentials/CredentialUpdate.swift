// SPDX-License-Identifier: Apache-2.0

package struct CredentialUpdate: ProvableCall, InteractingCall {
    package typealias Answer = Changed
    package static let declaration = MethodDeclaration(
        .credentialUpdate, "Sets what a credential has besides user and password.", .own, app: .associated,
        vault: .open, proof: .instead, prompt: true, repeatable: true)
    package let credential: String
    package let changes: CredentialChanges
    package let ifVersion: String?
    package let interaction: Interaction
    package let proof: Proof?

    package init(
        credential: String, changes: CredentialChanges, ifVersion: String? = nil, interaction: Interaction = .allow,
        proof: Proof? = nil
    ) {
        (self.credential, self.changes, self.ifVersion) = (credential, changes, ifVersion)
        (self.interaction, self.proof) = (interaction, proof)
    }

    package static func fields(_ field: inout some FieldVisitor<Self>) throws(ProtocolProblem) -> Self {
        Self(
            credential: try field("credential", \.credential, .id, "The credential."),
            changes: try field(\.changes),
            ifVersion: try field.ifVersion(\.ifVersion),
            interaction: try field.interaction(\.interaction),
            proof: try field.proof(\.proof))
    }
}
