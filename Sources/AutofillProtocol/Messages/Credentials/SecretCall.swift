// SPDX-License-Identifier: Apache-2.0

/// A secret of a credential: `credential.get`, `code.get`.
package protocol SecretCall: ProvableCall, InteractingCall {
    /// Without a user name, the credential that was used last, or an incoming code.
    var name: CredentialName { get }
    var interaction: Interaction { get }
    var proof: Proof? { get }

    init(_ name: CredentialName, interaction: Interaction, proof: Proof?)
}

extension SecretCall {
    package init(
        service: ServiceIdentifier, user: String? = nil, interaction: Interaction = .allow, proof: Proof? = nil
    ) {
        self.init(.saved(for: service, user: user), interaction: interaction, proof: proof)
    }

    package static func fields(_ field: inout some FieldVisitor<Self>) throws(ProtocolProblem) -> Self {
        let call = Self(
            try field(\.name), interaction: try field.interaction(\.interaction), proof: try field.proof(\.proof))
        try call.name.rule(&field)
        return call
    }
}
