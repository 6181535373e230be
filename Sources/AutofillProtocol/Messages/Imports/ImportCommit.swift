// SPDX-License-Identifier: Apache-2.0

package struct ImportCommit: ProvableCall {
    package static let declaration = MethodDeclaration(
        .importCommit, "Backs up the vault, and saves all entries of this connection's import at once.", .administer,
        vault: .open, proof: .needed, repeatable: false)
    package let conflicts: Rule
    package let choices: [ImportChoice]
    package let proof: Proof?

    /// What becomes of a conflict.
    package enum Rule: String, CaseIterable, Sendable { case newer, both, skip }

    package init(conflicts: Rule, choices: [ImportChoice] = [], proof: Proof?) {
        (self.conflicts, self.choices, self.proof) = (conflicts, choices, proof)
    }

    package static func fields(_ field: inout some FieldVisitor<Self>) throws(ProtocolProblem) -> Self {
        Self(
            conflicts: try field(
                "conflicts", \.conflicts, .choice(),
                "`newer`: what was changed last is current, the other password a former one; `both`: the entry is saved with another user name; `skip`: it is not imported."
            ),
            choices: try field(
                "choices", \.choices, .objects(limit: Limits.listLimit), absent: [], "Another rule for some entries."),
            proof: try field.proof(\.proof))
    }

    package struct Answer: Message, Hashable {
        package let added: Int
        package let changed: Int
        package let identical: Int
        package let skipped: Int
        package let findings: [ImportFinding]
        package let findingCount: Int
        package let backup: String?

        package init(
            added: Int, changed: Int, identical: Int, skipped: Int, findings: [ImportFinding], findingCount: Int,
            backup: String?
        ) {
            (self.added, self.changed, self.identical, self.skipped) = (added, changed, identical, skipped)
            (self.findings, self.findingCount, self.backup) = (findings, findingCount, backup)
        }

        package static func fields(_ field: inout some FieldVisitor<Self>) throws(ProtocolProblem) -> Self {
            Self(
                added: try field("added", \.added, .integer(0...Int.max), "How many credentials are new."),
                changed: try field(
                    "changed", \.changed, .integer(0...Int.max), "How many saved ones were changed; see `conflicts`."),
                identical: try field(
                    "identical", \.identical, .integer(0...Int.max), "How many entries added nothing."),
                skipped: try field("skipped", \.skipped, .integer(0...Int.max), "How many conflicts were left alone."),
                findings: try field(
                    "findings", \.findings, .objects(),
                    "What did not fit in changed credentials; the first `listLimit` of them."),
                findingCount: try field("findingCount", \.findingCount, .integer(0...Int.max), "How many there are."),
                backup: try field(
                    optional: "backup", \.backup, .string(1...4096),
                    "The path of the backup; absent for a vault in memory."))
        }
    }
}

/// The rule for one entry in conflict.
package struct ImportChoice: Message, Hashable {
    package let entry: Int
    package let conflict: ImportCommit.Rule

    package init(entry: Int, conflict: ImportCommit.Rule) { (self.entry, self.conflict) = (entry, conflict) }

    package static func fields(_ field: inout some FieldVisitor<Self>) throws(ProtocolProblem) -> Self {
        Self(
            entry: try field("entry", \.entry, .integer(1...Int.max), "The number of the entry."),
            conflict: try field("conflict", \.conflict, .choice(), "Its rule."))
    }
}
