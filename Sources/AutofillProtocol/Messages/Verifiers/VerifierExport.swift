// SPDX-License-Identifier: Apache-2.0
package import SecretMemory

package struct VerifierExport: PlainItemCall, InteractingCall {
    package static let declaration = MethodDeclaration(
        .verifierExport, "Returns the hash of a verifier, in PHC form: a recorded release.", .release, app: .registered,
        grant: true, vault: .open, proof: .instead, repeatable: true)
    package let place: ItemPlace
    package let interaction: Interaction
    package let proof: Proof?

    package init(place: ItemPlace, interaction: Interaction, proof: Proof?) {
        (self.place, self.interaction, self.proof) = (place, interaction, proof)
    }

    package struct Answer: Message {
        package let hash: SecretBytes

        package init(hash: SecretBytes) { self.hash = hash }

        package static func fields(_ field: inout some FieldVisitor<Self>) throws(ProtocolProblem) -> Self {
            Self(
                hash: try field(
                    "hash", \.hash, .secret(1...Limits.verifierHashBytes),
                    "The hash in PHC form, `$scrypt$ln=…,r=…,p=…$salt$hash`."))
        }
    }
}
