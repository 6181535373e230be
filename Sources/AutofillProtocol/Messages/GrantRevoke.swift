// SPDX-License-Identifier: Apache-2.0

/// Takes a grant or a denial back.
package struct GrantRevoke: ProvableCall {
    package typealias Answer = Changed
    package static let method = Method.grantRevoke
    package let grant: String
    package let proof: Proof?

    package init(grant: String, proof: Proof?) {
        self.grant = grant
        self.proof = proof
    }

    package init(from members: inout MemberReader) throws(ProtocolProblem) {
        grant = try members.string("grant", bytes: 1...64)
        proof = try members.optionalValue("proof")
    }

    package func write(to writer: inout JSONWriter) {
        writer.member("grant", grant)
        if let proof { writer.member("proof", proof) }
    }
}
