// SPDX-License-Identifier: Apache-2.0
package import SecretMemory

package struct SyncInvite: ProofCall {
    package static let declaration = MethodDeclaration(
        .syncInvite, "Invites a machine: draws a code, which is valid for one machine. An earlier invitation ends.",
        .administer, vault: .open, proof: .needed, repeatable: false)
    package let proof: Proof?

    package init(proof: Proof?) { self.proof = proof }

    package struct Answer: Message {
        package let code: SecretBytes

        package init(code: SecretBytes) { self.code = code }

        package static func fields(_ field: inout some FieldVisitor<Self>) throws(ProtocolProblem) -> Self {
            Self(
                code: try field(
                    "code", \.code, .secret(1...Limits.recoveryKeyBytes),
                    "What is typed on the new machine, in groups."))
        }
    }
}
