// SPDX-License-Identifier: Apache-2.0
package import SecretMemory

package struct SyncRemove: ProvableCall {
    package typealias Answer = Changed
    package static let declaration = MethodDeclaration(
        .syncRemove, "Removes a machine: what it writes from now on does not count, and it cannot open new files.",
        .administer, vault: .open, proof: .needed, repeatable: false)
    package let device: String
    package let recoveryKey: SecretBytes?
    package let proof: Proof?

    package init(device: String, recoveryKey: SecretBytes? = nil, proof: Proof?) {
        (self.device, self.recoveryKey, self.proof) = (device, recoveryKey, proof)
    }

    package static func fields(_ field: inout some FieldVisitor<Self>) throws(ProtocolProblem) -> Self {
        Self(
            device: try field("device", \.device, .string(32...32), "The machine."),
            recoveryKey: try field(
                optional: "recoveryKey", \.recoveryKey, .secret(1...Limits.recoveryKeyBytes),
                "The recovery key of sync, as it was typed: for a machine that came in before this one."),
            proof: try field.proof(\.proof))
    }
}
