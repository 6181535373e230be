// SPDX-License-Identifier: Apache-2.0

package struct VaultRestore: ProvableCall {
    package static let declaration = MethodDeclaration(
        .vaultRestore, "Puts a backup in the place of the vault, which is kept.", .administer, proof: .needed,
        outsideSandbox: true, repeatable: false)
    package let path: String
    package let secret: Proof
    package let proof: Proof?

    package init(path: String, secret: Proof, proof: Proof?) {
        (self.path, self.secret, self.proof) = (path, secret, proof)
    }

    package static func fields(_ field: inout some FieldVisitor<Self>) throws(ProtocolProblem) -> Self {
        Self(
            path: try field(
                "path", \.path, .path, "The backup: an absolute path, of a plain file, not of a symbolic link."),
            secret: try field("secret", \.secret, .object(), "What opens the backup."),
            proof: try field.proof(\.proof, "What opens the present vault; needed where one can be opened."))
    }

    package struct Answer: Message, Hashable {
        package let records: Int
        package let replaced: String?

        package init(records: Int, replaced: String?) { (self.records, self.replaced) = (records, replaced) }

        package static func fields(_ field: inout some FieldVisitor<Self>) throws(ProtocolProblem) -> Self {
            Self(
                records: try field("records", \.records, .integer(0...Int.max), "How many records were opened in it."),
                replaced: try field(
                    nullable: "replaced", \.replaced, .string(0...4096),
                    "Where the vault that was there before is kept; null where there was none."))
        }
    }
}
