// SPDX-License-Identifier: Apache-2.0
internal import AutofillProtocol
internal import Credentials

/// The user's recent no. It holds for a while, longer each time, so that repeated prompts wear nobody down. In memory only.
struct Denials {
    enum Question: Hashable {
        /// About this app and program, or process, whatever service and user name it asks for.
        case consent(ConsentQuestion.Matter.Kind, Subject)
        /// Administration, by this program.
        case approval(program: String)
        /// Unlocking the vault, for this denial key.
        case unlock(String)

        static func consent(_ question: ConsentQuestion) -> Question {
            .consent(question.matter.kind, question.grantees.owner ?? question.subject)
        }
    }

    private struct Denial {
        /// In milliseconds of the steady clock, as all times here.
        var end: Int64
        var span: Int64
    }

    private var denials: [Question: Denial] = [:]
    /// When questions were withdrawn while they showed: the last times of each.
    private var withdrawals: [Question: [Int64]] = [:]

    /// - Returns: for how many milliseconds it holds: twice as long as the one before, where that has not ended for as long as it
    ///   held.
    mutating func note(_ question: Question, at now: Int64) -> Int64 {
        let (first, longest) = (Int64(Limits.denialMilliseconds), Int64(Limits.longestDenialMilliseconds))
        let span = denials[question].map { now < $0.end + $0.span ? min(2 * $0.span, longest) : first } ?? first
        if denials.count >= Limits.rememberedDenials { denials = denials.filter { now < $0.value.end + $0.value.span } }
        if denials.count >= Limits.rememberedDenials, denials[question] == nil,
            let first = denials.min(by: { $0.value.end < $1.value.end })
        {
            denials[first.key] = nil
        }
        denials[question] = Denial(end: now + span, span: span)
        return span
    }

    /// A question was withdrawn while it showed. Repeated within the shortest denial that is one: a program could show prompts
    /// without end, and withdraw each before the user answers it.
    mutating func noteWithdrawal(of question: Question, at now: Int64) {
        let former = (withdrawals.removeValue(forKey: question) ?? []).filter {
            now - $0 < Int64(Limits.denialMilliseconds)
        }
        guard former.count + 1 < Limits.deniedWithdrawals else {
            _ = note(question, at: now)
            return
        }
        if withdrawals.count >= Limits.rememberedDenials,
            let oldest = withdrawals.min(by: { ($0.value.last ?? 0) < ($1.value.last ?? 0) })
        {
            withdrawals[oldest.key] = nil
        }
        withdrawals[question] = former + [now]
    }

    /// For how many milliseconds it still holds; nil where it does not.
    func remaining(of question: Question, at now: Int64) -> Int64? {
        guard let end = denials[question]?.end, end > now else { return nil }
        return end - now
    }

    /// The user has decided otherwise since.
    mutating func forget(where fits: (Question) -> Bool) {
        denials = denials.filter { !fits($0.key) }
        withdrawals = withdrawals.filter { !fits($0.key) }
    }
}
