// SPDX-License-Identifier: Apache-2.0

package struct VaultCheck: ProvableCall {
    package static let declaration = MethodDeclaration(
        .vaultCheck, "Checks everything in the vault, and repairs it if requested.", .administer,
        vault: .open, proof: .needed, repeatable: true)
    package let repairs: Bool
    package let acceptsOlder: Bool
    package let proof: Proof?

    package init(repairs: Bool = false, acceptsOlder: Bool = false, proof: Proof?) {
        (self.repairs, self.acceptsOlder, self.proof) = (repairs, acceptsOlder, proof)
    }

    package static func fields(_ field: inout some FieldVisitor<Self>) throws(ProtocolProblem) -> Self {
        Self(
            repairs: try field(
                "repair", \.repairs, .boolean, absent: false,
                "Corrupt records are moved into quarantine; nothing is deleted."),
            acceptsOlder: try field(
                "acceptOlder", \.acceptsOlder, .boolean, absent: false,
                "With `repair`: the vault is taken as it is, though it may be an older one."),
            proof: try field.proof(\.proof))
    }

    package struct Answer: Message, Hashable {
        package let isIntact: Bool
        package let records: Int
        package let releases: Int
        package let findings: [FindingReport]
        package let findingCount: Int
        package let quarantined: Int
        package let replaced: String?

        package init(
            isIntact: Bool, records: Int, releases: Int, findings: [FindingReport], findingCount: Int, quarantined: Int,
            replaced: String?
        ) {
            (self.isIntact, self.records, self.releases, self.findings) = (isIntact, records, releases, findings)
            (self.findingCount, self.quarantined, self.replaced) = (findingCount, quarantined, replaced)
        }

        package static func fields(_ field: inout some FieldVisitor<Self>) throws(ProtocolProblem) -> Self {
            Self(
                isIntact: try field("intact", \.isIntact, .boolean, "Whether the vault is intact now."),
                records: try field("records", \.records, .integer(0...Int.max), "How many records there are."),
                releases: try field(
                    "releases", \.releases, .integer(0...Int.max), "Entries of the record of releases."),
                findings: try field(
                    "findings", \.findings, .objects(),
                    "What was wrong; the first ones where there are more than `Limits.listLimit`."),
                findingCount: try field("findingCount", \.findingCount, .integer(0...Int.max), "How many there were."),
                quarantined: try field(
                    "quarantined", \.quarantined, .integer(0...Int.max), "How many rows a repair put into quarantine."),
                replaced: try field(
                    optional: "replaced", \.replaced, .string(0...4096),
                    "Where the damaged file is kept, if the repair had to copy the vault into a new one."))
        }
    }
}
