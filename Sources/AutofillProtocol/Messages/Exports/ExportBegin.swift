// SPDX-License-Identifier: Apache-2.0

package struct ExportBegin: ProvableCall {
    package typealias Answer = Changed
    package static let declaration = MethodDeclaration(
        .exportBegin, "Begins an export on this connection. One that was begun before ends.", .administer,
        vault: .open, proof: .needed, repeatable: true)
    package let only: ServiceIdentifier?
    package let proof: Proof?

    package init(only: ServiceIdentifier? = nil, proof: Proof?) { (self.only, self.proof) = (only, proof) }

    package static func fields(_ field: inout some FieldVisitor<Self>) throws(ProtocolProblem) -> Self {
        Self(
            only: try field(
                optional: "only", \.only, .object(),
                "What is saved for this service alone, and for the names below a domain; all when absent."),
            proof: try field.proof(\.proof))
    }
}
