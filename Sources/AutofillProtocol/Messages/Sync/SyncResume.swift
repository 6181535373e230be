// SPDX-License-Identifier: Apache-2.0

package struct SyncResume: ProvableCall {
    package typealias Answer = Changed
    package static let declaration = MethodDeclaration(
        .syncResume, "Decides what counts after a restore or a repair; until then nothing is exchanged.", .administer,
        vault: .open, proof: .needed, repeatable: true)
    package let counts: Side
    package let acceptsMissing: Bool
    package let proof: Proof?

    package enum Side: String, CaseIterable, Sendable { case others, vault }

    package init(counts: Side, acceptsMissing: Bool = false, proof: Proof?) {
        (self.counts, self.acceptsMissing, self.proof) = (counts, acceptsMissing, proof)
    }

    package static func fields(_ field: inout some FieldVisitor<Self>) throws(ProtocolProblem) -> Self {
        Self(
            counts: try field(
                "counts", \.counts, .choice(),
                "`others`: others' newer changes count; `vault`: what this vault shows counts, on every machine."),
            acceptsMissing: try field(
                "acceptMissing", \.acceptsMissing, .boolean, absent: false,
                "With `vault`: it counts though files are missing that another machine states to have."),
            proof: try field.proof(\.proof))
    }
}
