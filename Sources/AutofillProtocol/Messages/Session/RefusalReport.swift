// SPDX-License-Identifier: Apache-2.0
internal import Reasons

/// The `data` of every error: each reason why the request was refused, or the one thing that is not well formed in it.
package struct RefusalReport: Message, Hashable {
    package let reasons: [ReasonReport]

    package static func fields(_ field: inout some FieldVisitor<Self>) throws(ProtocolProblem) -> Self {
        Self(reasons: try field("reasons", \.reasons, .objects(), "Every reason, the first one first."))
    }
}

extension ReasonReport {
    /// A malformed request, as a reason: the developer fixes it.
    package init(_ problem: ProtocolProblem) {
        var parameters: [String: String] = [:]
        parameters[Refusal.Parameter.member.rawValue] = problem.member
        parameters[Refusal.Parameter.detail.rawValue] = problem.detail
        self.init(
            reason: problem.kind.rawValue, message: problem.message, fix: problem.fix,
            audience: Reason.Audience.developer.rawValue, retry: Reason.Retry.never.rawValue, event: nil,
            retryAfterMilliseconds: nil, parameters: parameters)
    }
}
