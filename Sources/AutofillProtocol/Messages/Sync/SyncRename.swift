// SPDX-License-Identifier: Apache-2.0

package struct SyncRename: ProvableCall {
    package typealias Answer = Changed
    package static let declaration = MethodDeclaration(
        .syncRename, "Gives this machine another name, which the other machines show.", .administer, vault: .open,
        proof: .needed, repeatable: true)
    package let name: String
    package let proof: Proof?

    package init(name: String, proof: Proof?) { (self.name, self.proof) = (name, proof) }

    package static func fields(_ field: inout some FieldVisitor<Self>) throws(ProtocolProblem) -> Self {
        Self(
            name: try field("name", \.name, .string(1...Limits.deviceNameBytes), "The user's name for this machine."),
            proof: try field.proof(\.proof))
    }
}
