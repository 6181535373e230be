// SPDX-License-Identifier: Apache-2.0

package struct VaultBackup: ProvableCall {
    package static let declaration = MethodDeclaration(
        .vaultBackup, "Copies the vault into a new file, and verifies the copy.", .administer, vault: .open,
        proof: .needed, repeatable: false)
    package let path: String
    package let proof: Proof?

    package init(path: String, proof: Proof?) { (self.path, self.proof) = (path, proof) }

    package static func fields(_ field: inout some FieldVisitor<Self>) throws(ProtocolProblem) -> Self {
        Self(
            path: try field("path", \.path, .path, "Absolute; nothing may be there."),
            proof: try field.proof(\.proof))
    }

    package struct Answer: Message, Hashable {
        package let path: String
        package let length: Int
        package let records: Int

        package init(path: String, length: Int, records: Int) {
            (self.path, self.length, self.records) = (path, length, records)
        }

        package static func fields(_ field: inout some FieldVisitor<Self>) throws(ProtocolProblem) -> Self {
            Self(
                path: try field("path", \.path, .string(1...4096), "The path of the new file."),
                length: try field("bytes", \.length, .integer(0...Int.max), "Its length in bytes."),
                records: try field("records", \.records, .integer(0...Int.max), "How many records were opened in it."))
        }
    }
}
