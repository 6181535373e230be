// SPDX-License-Identifier: Apache-2.0

/// Why a call has no result.
public enum AutofillError: Error, Hashable, Sendable {
    /// The service is not there; the app goes on without it.
    case unavailable(AutofillUnavailable)
    /// The service refused, for these reasons; each says what mends it. Never empty.
    case refused([AutofillReason])
    /// The request was not as the protocol has it: a field without an id, a domain that is none.
    case invalidRequest(InvalidRequest)
    /// The service ended while the request was on its way, and whether it was done is not known. The next call connects
    /// again. What may be repeated is sent once more before this is said; not so a code that is filled once or goes by a
    /// counter, a password that is checked, an item that is renamed.
    case connectionLost
    /// The answer was not understood; the text says where.
    case answerNotUnderstood(String)
    /// The task that waited was cancelled, and with it the request.
    case cancelled

    /// A request that the service did not take.
    public struct InvalidRequest: Hashable, Sendable {
        /// The code, as in protocol.md.
        public let problem: String
        /// What is wrong, in one line.
        public let message: String
        /// The member concerned, as `service.value` or `fields[2].id`.
        public let member: String?
        /// What mends it.
        public let fix: String
    }

    /// Whether the service refused for this reason, among others.
    public func isRefused(for code: AutofillReason.Code) -> Bool {
        guard case .refused(let reasons) = self else { return false }
        return reasons.contains { $0.code == code }
    }
}
