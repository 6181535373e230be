// SPDX-License-Identifier: Apache-2.0

package struct GrantRevoke: ProvableCall {
    package typealias Answer = Changed
    package static let declaration = MethodDeclaration(
        .grantRevoke, "Revokes a grant or a denial.", .administer, vault: .open, proof: .needed, prompt: true,
        repeatable: true)
    package let grant: String
    package let proof: Proof?

    package init(grant: String, proof: Proof?) { (self.grant, self.proof) = (grant, proof) }

    package static func fields(_ field: inout some FieldVisitor<Self>) throws(ProtocolProblem) -> Self {
        Self(
            grant: try field("grant", \.grant, .id, "The grant or denial."),
            proof: try field.proof(\.proof))
    }
}
