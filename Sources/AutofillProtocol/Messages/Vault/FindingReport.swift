// SPDX-License-Identifier: Apache-2.0

/// One thing that is not as it should be.
package struct FindingReport: Message, Hashable {
    package let finding: String
    package let text: String
    package let id: String?

    package init(finding: String, text: String, id: String?) {
        (self.finding, self.text, self.id) = (finding, text, id)
    }

    package static func fields(_ field: inout some FieldVisitor<Self>) throws(ProtocolProblem) -> Self {
        Self(
            finding: try field(
                "finding", \.finding, .word(Words.findings, 1...32),
                "`altered`, `older`, `missing`, `unexpected`, `unpinned`, `duplicate`, `slot`, `releases`, `rollback`, `unmarked` or `damaged`."
            ),
            text: try field("text", \.text, .string(0...4096), "A sentence for people."),
            id: try field(optional: "id", \.id, .id, "The object that it concerns."))
    }
}
