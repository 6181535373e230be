// SPDX-License-Identifier: Apache-2.0

package struct CredentialRestore: ProvableCall {
    package typealias Answer = Changed
    package static let declaration = MethodDeclaration(
        .credentialRestore, "Restores a deleted credential.", .administer, vault: .open, proof: .needed,
        repeatable: true)
    package let name: CredentialName
    package let proof: Proof?

    package init(_ name: CredentialName, proof: Proof?) { (self.name, self.proof) = (name, proof) }

    package init(credential: String, proof: Proof?) { self.init(.id(credential), proof: proof) }

    package static func fields(_ field: inout some FieldVisitor<Self>) throws(ProtocolProblem) -> Self {
        let call = Self(try field(\.name), proof: try field.proof(\.proof))
        try call.name.rule(&field)
        return call
    }
}
