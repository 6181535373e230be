// SPDX-License-Identifier: Apache-2.0
package import SecretMemory

/// Keeps a hash that was made elsewhere.
package struct VerifierImport: ItemCall, ProvableCall {
    package typealias Answer = VerifierSaved
    package static let method = Method.verifierImport
    package let place: ItemPlace
    /// PHC form, scrypt.
    package let hash: SecretBytes
    package let interaction: Interaction
    package let proof: Proof?

    package init(
        service: String, account: String, hash: SecretBytes, accessGroup: String? = nil,
        interaction: Interaction = .allow, proof: Proof? = nil
    ) {
        place = ItemPlace(service: service, account: account, accessGroup: accessGroup)
        self.hash = hash
        self.interaction = interaction
        self.proof = proof
    }

    package init(from members: inout MemberReader) throws(ProtocolProblem) {
        place = try ItemPlace(from: &members)
        hash = try members.secret("hash", bytes: 1...Limits.verifierHashBytes)
        interaction = try members.interaction()
        proof = try members.optionalValue("proof")
    }

    package func write(to writer: inout JSONWriter) {
        place.write(to: &writer)
        writer.member("hash", hash)
        if interaction == .forbid { writer.member("interaction", interaction.rawValue) }
        if let proof { writer.member("proof", proof) }
    }
}
