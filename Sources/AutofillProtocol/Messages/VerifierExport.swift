// SPDX-License-Identifier: Apache-2.0
package import SecretMemory

/// The hash of a verifier, in PHC form: a recorded release.
package struct VerifierExport: PlainItemCall {
    package static let method = Method.verifierExport
    package let place: ItemPlace
    package let interaction: Interaction
    package let proof: Proof?

    package init(place: ItemPlace, interaction: Interaction, proof: Proof?) {
        self.place = place
        self.interaction = interaction
        self.proof = proof
    }

    package struct Answer: WireValue {
        /// `$scrypt$ln=…,r=…,p=…$salt$hash`
        package let hash: SecretBytes

        package init(hash: SecretBytes) {
            self.hash = hash
        }

        package init(from members: inout MemberReader) throws(ProtocolProblem) {
            hash = try members.secret("hash", bytes: 1...Limits.verifierHashBytes)
        }

        package func write(to writer: inout JSONWriter) {
            writer.member("hash", hash)
        }
    }
}
