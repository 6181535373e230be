// SPDX-License-Identifier: Apache-2.0

package struct CredentialRestore: ProvableCall {
    package typealias Answer = Changed
    package static let declaration = MethodDeclaration(
        .credentialRestore, "Restores a deleted credential.", .administer, vault: .open, proof: .needed,
        repeatable: true)
    package let credential: String
    package let proof: Proof?

    package init(credential: String, proof: Proof?) {
        (self.credential, self.proof) = (credential, proof)
    }

    package static func fields(_ field: inout some FieldVisitor<Self>) throws(ProtocolProblem) -> Self {
        Self(
            credential: try field("credential", \.credential, .id, "The credential."),
            proof: try field.proof(\.proof))
    }
}
