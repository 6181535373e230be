// SPDX-License-Identifier: Apache-2.0

package struct VaultRestore: ProvableCall {
    package static let declaration = MethodDeclaration(
        .vaultRestore, "Replaces the vault by a backup. The replaced vault is kept.", .administer, proof: .needed,
        outsideSandbox: true, repeatable: false)
    package let path: String
    package let secret: Proof
    package let salvages: Bool
    package let target: String?
    package let proof: Proof?

    package init(path: String, secret: Proof, salvages: Bool = false, target: String? = nil, proof: Proof?) {
        (self.path, self.secret, self.proof) = (path, secret, proof)
        (self.salvages, self.target) = (salvages, target)
    }

    package static func fields(_ field: inout some FieldVisitor<Self>) throws(ProtocolProblem) -> Self {
        Self(
            path: try field(
                "path", \.path, .path, "The backup: an absolute path, of a plain file, not of a symbolic link."),
            secret: try field("secret", \.secret, .secretProof, "What opens the backup."),
            salvages: try field(
                "salvage", \.salvages, .boolean, absent: false,
                "Restore everything that is readable, however corrupt the rest is; what is lost is reported."),
            target: try field(
                optional: "into", \.target, .path,
                "With `salvage`: make this new file of it, and leave the vault alone. Absolute; nothing may be there."),
            proof: try field.proof(\.proof, "What opens the present vault; needed where one can be opened."))
    }

    package struct Answer: Message, Hashable {
        package let records: Int
        package let replaced: String?
        package let findings: [FindingReport]
        package let findingCount: Int
        package let quarantined: Int

        package init(
            records: Int, replaced: String?, findings: [FindingReport] = [], findingCount: Int = 0, quarantined: Int = 0
        ) {
            (self.records, self.replaced, self.findings) = (records, replaced, findings)
            (self.findingCount, self.quarantined) = (findingCount, quarantined)
        }

        package static func fields(_ field: inout some FieldVisitor<Self>) throws(ProtocolProblem) -> Self {
            Self(
                records: try field("records", \.records, .integer(0...Int.max), "How many records were opened in it."),
                replaced: try field(
                    optional: "replaced", \.replaced, .string(0...4096),
                    "Where the vault that was there before is kept; absent where there was none, or it was left alone."),
                findings: try field(
                    "findings", \.findings, .objects(), absent: [],
                    "What a salvage did not find as it was; the first ones where there are more than `Limits.listLimit`."
                ),
                findingCount: try field(
                    "findingCount", \.findingCount, .integer(0...Int.max), absent: 0, "How many there were."),
                quarantined: try field(
                    "quarantined", \.quarantined, .integer(0...Int.max), absent: 0,
                    "How many rows are in its quarantine."))
        }
    }
}
