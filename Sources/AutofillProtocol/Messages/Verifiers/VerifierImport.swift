// SPDX-License-Identifier: Apache-2.0
package import SecretMemory

package struct VerifierImport: ItemCall, ProvableCall, InteractingCall {
    package typealias Answer = VerifierSaved
    package static let declaration = MethodDeclaration(
        .verifierImport, "Imports a hash.", .own, app: .registered, vault: .open, proof: .instead,
        prompt: true, repeatable: true)
    package let place: ItemPlace
    package let hash: SecretBytes
    package let interaction: Interaction
    package let proof: Proof?

    package static func fields(_ field: inout some FieldVisitor<Self>) throws(ProtocolProblem) -> Self {
        Self(
            place: try field(\.place),
            hash: try field("hash", \.hash, .secret(1...Limits.verifierHashBytes), "PHC form, scrypt."),
            interaction: try field.interaction(\.interaction),
            proof: try field.proof(\.proof))
    }
}

extension VerifierImport {
    package init(
        namespace: String, account: String, hash: SecretBytes, accessGroup: String? = nil,
        interaction: Interaction = .allow, proof: Proof? = nil
    ) {
        self.init(
            place: ItemPlace(namespace: namespace, account: account, accessGroup: accessGroup),
            hash: hash, interaction: interaction, proof: proof)
    }
}
