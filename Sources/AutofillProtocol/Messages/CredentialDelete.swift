// SPDX-License-Identifier: Apache-2.0

/// Deletes a credential; it can be brought back for 30 days.
package struct CredentialDelete: ProvableCall {
    package typealias Answer = Changed
    package static let method = Method.credentialDelete
    package let credential: String
    package let ifVersion: Int?
    package let interaction: Interaction
    package let proof: Proof?

    package init(
        credential: String, ifVersion: Int? = nil, interaction: Interaction = .allow, proof: Proof? = nil
    ) {
        self.credential = credential
        self.ifVersion = ifVersion
        self.interaction = interaction
        self.proof = proof
    }

    package init(from members: inout MemberReader) throws(ProtocolProblem) {
        credential = try members.string("credential", bytes: 1...64)
        ifVersion = try members.optionalInteger("ifVersion", in: 1...Int.max)
        interaction = try members.interaction()
        proof = try members.optionalValue("proof")
    }

    package func write(to writer: inout JSONWriter) {
        writer.member("credential", credential)
        if let ifVersion { writer.member("ifVersion", ifVersion) }
        if interaction == .forbid { writer.member("interaction", interaction.rawValue) }
        if let proof { writer.member("proof", proof) }
    }
}
