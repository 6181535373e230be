// SPDX-License-Identifier: Apache-2.0
internal import AutofillProtocol
internal import Credentials

/// The person's recent no, which holds for a while, so that nobody is worn down by prompts. In memory only.
struct Denials {
    enum Question: Hashable {
        /// About this app and service, whatever user name it sends.
        case consent(Allowance, Subject)
        /// Administration, by this program.
        case approval(program: String)
        case unlock

        static func consent(_ question: ConsentQuestion) -> Question { .consent(question.allowance, question.subject) }
    }

    private static let limit = 1024
    private var until: [Question: Timestamp] = [:]

    mutating func note(_ question: Question, at now: Timestamp) {
        if until.count >= Self.limit { until = until.filter { $0.value > now } }
        if until.count >= Self.limit { until.removeAll() }
        until[question] = now.advanced(byMilliseconds: Int64(Limits.denialMilliseconds))
    }

    /// For how many milliseconds it still holds; nil where it does not.
    func remaining(of question: Question, at now: Timestamp) -> Int64? {
        guard let until = until[question], until > now else { return nil }
        // A clock that was set back must not keep it for ever.
        return min(until.milliseconds - now.milliseconds, Int64(Limits.denialMilliseconds))
    }

    /// The person has changed their mind by another way.
    mutating func forget(where fits: (Question) -> Bool) {
        until = until.filter { !fits($0.key) }
    }
}
