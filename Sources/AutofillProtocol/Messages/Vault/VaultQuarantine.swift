// SPDX-License-Identifier: Apache-2.0

package struct VaultQuarantine: ProvableCall {
    package static let declaration = MethodDeclaration(
        .vaultQuarantine, "Lists the records that repairs quarantined, or restores one of them.", .administer,
        vault: .open,
        proof: .needed, repeatable: true)
    package let restored: Int?
    package let proof: Proof?

    package init(restoring restored: Int? = nil, proof: Proof?) { (self.restored, self.proof) = (restored, proof) }

    package static func fields(_ field: inout some FieldVisitor<Self>) throws(ProtocolProblem) -> Self {
        Self(
            restoring: try field(
                optional: "restore", \.restored, .integer(1...Int.max),
                "The number of a record that is to be in use again."),
            proof: try field.proof(\.proof))
    }

    package struct Answer: Message, Hashable {
        package let rows: [QuarantinedReport]
        package let count: Int
        package let changed: Bool

        package init(rows: [QuarantinedReport], count: Int, changed: Bool) {
            (self.rows, self.count, self.changed) = (rows, count, changed)
        }

        package static func fields(_ field: inout some FieldVisitor<Self>) throws(ProtocolProblem) -> Self {
            Self(
                rows: try field(
                    "rows", \.rows, .objects(),
                    "What is there now; the first ones where there are more than `Limits.listLimit`."),
                count: try field("count", \.count, .integer(0...Int.max), "How many there are."),
                changed: try field.changed(\.changed))
        }
    }
}

/// A row in quarantine.
package struct QuarantinedReport: Message, Hashable {
    package let number: Int
    package let table: String
    package let fault: String
    package let id: String?
    package let about: String?

    package init(number: Int, table: String, fault: String, id: String?, about: String?) {
        (self.number, self.table, self.fault, self.id, self.about) = (number, table, fault, id, about)
    }

    package static func fields(_ field: inout some FieldVisitor<Self>) throws(ProtocolProblem) -> Self {
        Self(
            number: try field("number", \.number, .integer(1...Int.max), "Its number there."),
            table: try field("table", \.table, .string(0...64), "The table that it was in."),
            fault: try field("fault", \.fault, .string(0...64), "The finding of a check."),
            id: try field(optional: "id", \.id, .id, "The object's; absent where it has none."),
            about: try field(
                optional: "about", \.about, .string(0...8192),
                "What it is about, for people; absent if it cannot be restored."))
    }
}
