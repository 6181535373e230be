// SPDX-License-Identifier: Apache-2.0
package import SecretMemory

package struct CodeSet: ProvableCall, InteractingCall {
    package typealias Answer = SavedAnswer
    package static let declaration = MethodDeclaration(
        .codeSet, "Sets the secret of a saved credential's one-time codes.", .own, app: .associated, vault: .open,
        proof: .instead, prompt: true, repeatable: true)
    package let name: CredentialName
    package let uri: SecretBytes
    package let ifVersion: String?
    package let interaction: Interaction
    package let proof: Proof?

    package init(
        _ name: CredentialName, uri: SecretBytes, ifVersion: String? = nil, interaction: Interaction = .allow,
        proof: Proof? = nil
    ) {
        (self.name, self.uri, self.ifVersion, self.interaction, self.proof) = (name, uri, ifVersion, interaction, proof)
    }

    package init(
        service: ServiceIdentifier, user: String? = nil, uri: SecretBytes, ifVersion: String? = nil,
        interaction: Interaction = .allow, proof: Proof? = nil
    ) {
        self.init(
            .saved(for: service, user: user), uri: uri, ifVersion: ifVersion, interaction: interaction, proof: proof)
    }

    package static func fields(_ field: inout some FieldVisitor<Self>) throws(ProtocolProblem) -> Self {
        let call = Self(
            try field(\.name),
            uri: try field(
                "uri", \.uri, .secret(1...Limits.codeURIBytes), "The secret and its parameters, `otpauth://…`."),
            ifVersion: try field.ifVersion(\.ifVersion),
            interaction: try field.interaction(\.interaction),
            proof: try field.proof(\.proof))
        try call.name.rule(&field)
        return call
    }
}
