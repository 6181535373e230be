// SPDX-License-Identifier: Apache-2.0

/// Puts a backup in the place of the vault, which is kept.
package struct VaultRestore: ProvableCall {
    package static let method = Method.vaultRestore
    package let path: String
    /// What opens the backup.
    package let secret: Proof
    /// What opens the present vault; needed where one can be opened.
    package let proof: Proof?

    package init(path: String, secret: Proof, proof: Proof?) {
        self.path = path
        self.secret = secret
        self.proof = proof
    }

    package init(from members: inout MemberReader) throws(ProtocolProblem) {
        path = try members.path("path")
        secret = try members.value("secret")
        proof = try members.optionalValue("proof")
    }

    package func write(to writer: inout JSONWriter) {
        writer.member("path", path)
        writer.member("secret", secret)
        if let proof { writer.member("proof", proof) }
    }

    package struct Answer: WireValue, Hashable {
        package let records: Int
        /// Where the vault that was there before is kept; nil where there was none.
        package let replaced: String?

        package init(records: Int, replaced: String?) {
            self.records = records
            self.replaced = replaced
        }

        package init(from members: inout MemberReader) throws(ProtocolProblem) {
            records = try members.integer("records", in: 0...Int.max)
            replaced = try members.optionalString("replaced", bytes: 0...4096)
        }

        package func write(to writer: inout JSONWriter) {
            writer.member("records", records)
            writer.member("replaced", orNull: replaced)
        }
    }
}
