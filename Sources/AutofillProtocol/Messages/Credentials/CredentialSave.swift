// SPDX-License-Identifier: Apache-2.0
package import SecretMemory

package struct CredentialSave: ProvableCall, InteractingCall {
    package typealias Answer = SavedAnswer
    package static let declaration = MethodDeclaration(
        .credentialSave, "Saves what the user typed, or a new password for a saved user name.", .own, app: .associated,
        vault: .open, proof: .instead, prompt: true, repeatable: true)
    package let service: ServiceIdentifier
    package let user: String
    package let password: SecretBytes
    package let changes: CredentialChanges
    package let ifVersion: String?
    package let interaction: Interaction
    package let proof: Proof?

    package init(
        service: ServiceIdentifier, user: String, password: SecretBytes,
        changes: CredentialChanges = CredentialChanges(), ifVersion: String? = nil,
        interaction: Interaction = .allow, proof: Proof? = nil
    ) {
        (self.service, self.user, self.password, self.ifVersion) = (service, user, password, ifVersion)
        self.changes = changes
        (self.interaction, self.proof) = (interaction, proof)
    }

    package static func fields(_ field: inout some FieldVisitor<Self>) throws(ProtocolProblem) -> Self {
        Self(
            service: try field.service(\.service),
            user: try field("user", \.user, .string(1...Limits.userBytes), "The user name."),
            password: try field("password", \.password, .secret(1...Limits.passwordBytes), "The password."),
            changes: try field(\.changes),
            ifVersion: try field.ifVersion(\.ifVersion),
            interaction: try field.interaction(\.interaction),
            proof: try field.proof(\.proof))
    }
}
