// SPDX-License-Identifier: Apache-2.0

package struct ImportUndo: ProofCall {
    package static let declaration = MethodDeclaration(
        .importUndo, "Reverts the last import, within a day. What was changed since stays.", .administer, vault: .open,
        proof: .needed, repeatable: true)
    package let proof: Proof?

    package init(proof: Proof?) { self.proof = proof }

    package struct Answer: Message, Hashable {
        package let changed: Bool
        package let removed: Int
        package let restored: Int
        package let kept: Int

        package init(changed: Bool, removed: Int, restored: Int, kept: Int) {
            (self.changed, self.removed, self.restored, self.kept) = (changed, removed, restored, kept)
        }

        package static func fields(_ field: inout some FieldVisitor<Self>) throws(ProtocolProblem) -> Self {
            Self(
                changed: try field(
                    "changed", \.changed, .boolean, "Whether there was an import to revert."),
                removed: try field(
                    "removed", \.removed, .integer(0...Int.max), "How many that it added are deleted."),
                restored: try field(
                    "restored", \.restored, .integer(0...Int.max), "How many that it changed are as before."),
                kept: try field("kept", \.kept, .integer(0...Int.max), "How many were changed since, and stay."))
        }
    }
}
