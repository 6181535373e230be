// SPDX-License-Identifier: Apache-2.0

/// The `data` of an error: what is not well formed.
package struct ProblemReport: Message, Hashable {
    package let problem: ProtocolProblem.Kind
    package let member: String?
    package let detail: String?
    package let fix: String

    package static func fields(_ field: inout some FieldVisitor<Self>) throws(ProtocolProblem) -> Self {
        Self(
            problem: try field("problem", \.problem, .choice(), "What is wrong."),
            member: try field(optional: "member", \.member, .string(0...4096), "The path of the member that it is."),
            detail: try field(
                optional: "detail", \.detail, .string(0...4096), "What is expected there, or where the fault lies."),
            fix: try field("fix", \.fix, .string(0...16384), "What mends it, for people."))
    }
}

extension ProblemReport {
    init(_ problem: ProtocolProblem) {
        self.init(problem: problem.kind, member: problem.member, detail: problem.detail, fix: problem.fix)
    }
}

/// The `data` of an error: every reason why the request was refused.
package struct RefusalReport: Message, Hashable {
    package let reasons: [ReasonReport]

    package static func fields(_ field: inout some FieldVisitor<Self>) throws(ProtocolProblem) -> Self {
        Self(reasons: try field("reasons", \.reasons, .objects(), "Every reason, the first one first."))
    }
}
