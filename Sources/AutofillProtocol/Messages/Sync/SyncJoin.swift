// SPDX-License-Identifier: Apache-2.0
package import SecretMemory

package struct SyncJoin: ProvableCall {
    package typealias Answer = Changed
    package static let declaration = MethodDeclaration(
        .syncJoin, "Joins the group of a machine that has invited this one; `admin.sync.status` has the progress.",
        .administer, vault: .open, proof: .needed, repeatable: false)
    package let location: SyncLocation
    package let code: SecretBytes
    package let name: String
    package let proof: Proof?

    package init(location: SyncLocation, code: SecretBytes, name: String, proof: Proof?) {
        (self.location, self.code, self.name, self.proof) = (location, code, name, proof)
    }

    package static func fields(_ field: inout some FieldVisitor<Self>) throws(ProtocolProblem) -> Self {
        Self(
            location: try field("location", \.location, .syncLocation, "Where the files are exchanged."),
            code: try field(
                "code", \.code, .secret(1...Limits.recoveryKeyBytes), "The code of the invitation, as it was typed."),
            name: try field("name", \.name, .string(1...Limits.deviceNameBytes), "The user's name for this machine."),
            proof: try field.proof(\.proof))
    }
}
