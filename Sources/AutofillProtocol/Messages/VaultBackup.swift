// SPDX-License-Identifier: Apache-2.0

/// Copies the vault into a new file, and reads that back.
package struct VaultBackup: ProvableCall {
    package static let method = Method.vaultBackup
    /// Absolute; nothing may be there.
    package let path: String
    package let proof: Proof?

    package init(path: String, proof: Proof?) {
        self.path = path
        self.proof = proof
    }

    package init(from members: inout MemberReader) throws(ProtocolProblem) {
        path = try members.path("path")
        proof = try members.optionalValue("proof")
    }

    package func write(to writer: inout JSONWriter) {
        writer.member("path", path)
        if let proof { writer.member("proof", proof) }
    }

    package struct Answer: WireValue, Hashable {
        package let path: String
        /// Its length in bytes.
        package let length: Int
        /// How many records were opened in it.
        package let records: Int

        package init(path: String, length: Int, records: Int) {
            self.path = path
            self.length = length
            self.records = records
        }

        package init(from members: inout MemberReader) throws(ProtocolProblem) {
            path = try members.string("path", bytes: 1...4096)
            length = try members.integer("length", in: 0...Int.max)
            records = try members.integer("records", in: 0...Int.max)
        }

        package func write(to writer: inout JSONWriter) {
            writer.member("path", path)
            writer.member("length", length)
            writer.member("records", records)
        }
    }
}
