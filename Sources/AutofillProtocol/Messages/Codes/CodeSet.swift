// SPDX-License-Identifier: Apache-2.0
package import SecretMemory

package struct CodeSet: ProvableCall, InteractingCall {
    package typealias Answer = SavedAnswer
    package static let declaration = MethodDeclaration(
        .codeSet, "Sets the secret of a saved credential's one-time codes.", .own, app: .associated, vault: .open,
        proof: .instead, prompt: true, repeatable: true)
    package let service: ServiceIdentifier
    package let user: String?
    package let uri: SecretBytes
    package let ifVersion: String?
    package let interaction: Interaction
    package let proof: Proof?

    package init(
        service: ServiceIdentifier, user: String? = nil, uri: SecretBytes, ifVersion: String? = nil,
        interaction: Interaction = .allow, proof: Proof? = nil
    ) {
        (self.service, self.user, self.uri, self.ifVersion) = (service, user, uri, ifVersion)
        (self.interaction, self.proof) = (interaction, proof)
    }

    package static func fields(_ field: inout some FieldVisitor<Self>) throws(ProtocolProblem) -> Self {
        Self(
            service: try field.service(\.service),
            user: try field(
                optional: "user", \.user, .string(1...Limits.userBytes),
                "The user name; the account of the URI if it is absent."),
            uri: try field(
                "uri", \.uri, .secret(1...Limits.codeURIBytes), "The secret and its parameters, `otpauth://…`."),
            ifVersion: try field.ifVersion(\.ifVersion),
            interaction: try field.interaction(\.interaction),
            proof: try field.proof(\.proof))
    }
}
