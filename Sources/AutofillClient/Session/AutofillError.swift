// SPDX-License-Identifier: Apache-2.0

/// Why a call has no result.
public enum AutofillError: Error, Hashable, Sendable {
    /// The service is not available. The app works without it.
    case unavailable(AutofillUnavailable)
    /// The service refused, for these reasons. Each has its fix. Never empty.
    case refused([AutofillReason])
    /// The request does not conform to the protocol: a field without an id, a malformed domain.
    case invalidRequest(InvalidRequest)
    /// The connection was lost before the answer, and it is not known whether the request was executed. The next call
    /// connects again. A repeatable call is sent once more before this is thrown. Not repeatable are a code that is filled
    /// once or computed from a counter, the check of a password, and the renaming of an item.
    case connectionLost
    /// The answer was not understood; the text states the position.
    case answerNotUnderstood(String)
    /// The task was cancelled, and with it the request.
    case cancelled

    /// A request that the service did not accept.
    public struct InvalidRequest: Hashable, Sendable {
        /// The code, as in protocol.md.
        public let problem: String
        /// What is wrong, in one line.
        public let message: String
        /// The member concerned, such as `service.value` or `fields[2].id`.
        public let member: String?
        /// The fix.
        public let fix: String
    }

    /// Returns whether this is one of the reasons for which the service refused.
    public func isRefused(for code: AutofillReason.Code) -> Bool {
        guard case .refused(let reasons) = self else { return false }
        return reasons.contains { $0.code == code }
    }
}
