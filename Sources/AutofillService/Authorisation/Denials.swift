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
    /// In milliseconds of the steady clock, as all times here.
    private var until: [Question: Int64] = [:]

    mutating func note(_ question: Question, at now: Int64) {
        if until.count >= Self.limit { until = until.filter { $0.value > now } }
        if until.count >= Self.limit { until.removeAll() }
        until[question] = now + Int64(Limits.denialMilliseconds)
    }

    /// For how many milliseconds it still holds; nil where it does not.
    func remaining(of question: Question, at now: Int64) -> Int64? {
        guard let until = until[question], until > now else { return nil }
        return until - now
    }

    /// The person has changed their mind by another way.
    mutating func forget(where fits: (Question) -> Bool) {
        until = until.filter { !fits($0.key) }
    }
}
