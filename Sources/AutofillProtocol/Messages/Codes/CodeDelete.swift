// SPDX-License-Identifier: Apache-2.0

package struct CodeDelete: ProvableCall, InteractingCall {
    package typealias Answer = Changed
    package static let declaration = MethodDeclaration(
        .codeDelete, "Deletes the one-time codes of a credential.", .own, app: .associated, vault: .open,
        proof: .instead, prompt: true, repeatable: true)
    package let service: ServiceIdentifier
    package let user: String
    package let ifVersion: String?
    package let interaction: Interaction
    package let proof: Proof?

    package init(
        service: ServiceIdentifier, user: String, ifVersion: String? = nil, interaction: Interaction = .allow,
        proof: Proof? = nil
    ) {
        (self.service, self.user, self.ifVersion, self.interaction) = (service, user, ifVersion, interaction)
        self.proof = proof
    }

    package static func fields(_ field: inout some FieldVisitor<Self>) throws(ProtocolProblem) -> Self {
        Self(
            service: try field.service(\.service),
            user: try field("user", \.user, .string(1...Limits.userBytes), "The user name."),
            ifVersion: try field.ifVersion(\.ifVersion),
            interaction: try field.interaction(\.interaction),
            proof: try field.proof(\.proof))
    }
}
