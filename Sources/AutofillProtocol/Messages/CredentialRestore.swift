// SPDX-License-Identifier: Apache-2.0

/// Gets a deleted credential back.
package struct CredentialRestore: ProvableCall {
    package typealias Answer = Changed
    package static let method = Method.credentialRestore
    package let credential: String
    package let proof: Proof?

    package init(credential: String, proof: Proof?) {
        self.credential = credential
        self.proof = proof
    }

    package init(from members: inout MemberReader) throws(ProtocolProblem) {
        credential = try members.string("credential", bytes: 1...64)
        proof = try members.optionalValue("proof")
    }

    package func write(to writer: inout JSONWriter) {
        writer.member("credential", credential)
        if let proof { writer.member("proof", proof) }
    }
}
