// SPDX-License-Identifier: Apache-2.0
internal import AutofillProtocol
internal import Credentials

/// Recent denials. Each is valid for a while, longer after each, to limit repeated prompts. In memory only.
struct Denials {
    enum Question: Hashable {
        /// About this app and program, or process, whatever service and user name it asks for.
        case consent(ConsentQuestion.Matter.Kind, Subject)
        /// Administration, by this program.
        case approval(program: String)
        /// Unlocking the vault, for this denial key.
        case unlock(String)
        /// All consents, or unlocking, by any undistinguished program that runs this file.
        case file(String, isUnlock: Bool)

        var isUnlock: Bool {
            switch self {
            case .unlock, .file(_, isUnlock: true): true
            case .consent, .approval, .file: false
            }
        }
    }

    /// A program that nothing distinguishes from others which run its file.
    struct Undistinguished: Hashable {
        /// The file, in a sandbox or outside.
        let file: String
        /// The process; in a sandbox its unit and file, for all processes of it.
        let process: String
    }

    /// What a no is to.
    struct Key: Hashable {
        let question: Question
        /// nil where the question names a program that can be distinguished.
        let program: Undistinguished?

        init(_ question: Question, by program: Undistinguished? = nil) {
            (self.question, self.program) = (question, program)
        }

        init(_ question: ConsentQuestion) {
            var subject = question.grantees.owner ?? question.subject
            if let sandbox = question.program?.process, !Peer.isPassing(sandbox) {
                subject = Subject(app: "", assurance: subject.assurance, executable: sandbox)
            }
            self.init(.consent(question.matter.kind, subject), by: question.program)
        }

        /// The same of all that run its file; nil where the question names a program that can be distinguished.
        fileprivate var ofFile: Question? { program.map { .file($0.file, isUnlock: question.isUnlock) } }
    }

    private struct Denial {
        /// In milliseconds of the steady clock, as all times here.
        var end: Int64
        var span: Int64
    }

    private var denials: [Question: Denial] = [:]
    /// When questions were withdrawn while they showed: the last times of each.
    private var withdrawals: [Question: [Int64]] = [:]
    /// By the file: the last undistinguished programs whose prompts ended without a yes, and until when each counts.
    private var refused: [Question: [(process: String, end: Int64)]] = [:]

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

    /// As `note(_:at:)` of the question, and of its program.
    mutating func note(_ key: Key, at now: Int64) -> Int64 {
        let span = note(key.question, at: now)
        return max(span, noteRefusal(of: key, for: Self.refusalSpan, at: now) ?? span)
    }

    /// A no to several at once: for one file it is one no, to one of its processes that had none before.
    mutating func note(_ keys: some Collection<Key>, at now: Int64) {
        var files: Set<Question> = []
        for key in keys {
            _ = note(key.question, at: now)
            guard let file = key.ofFile, !files.contains(file), !hasRefused(key, at: now) else { continue }
            files.insert(file)
            _ = noteRefusal(of: key, for: Self.refusalSpan, at: now)
        }
    }

    /// As `noteWithdrawal(of:at:)` of the question, and of its program.
    mutating func noteWithdrawal(of key: Key, at now: Int64) {
        noteWithdrawal(of: key.question, at: now)
        _ = noteRefusal(of: key, for: Int64(Limits.denialMilliseconds), at: now)
    }

    /// For how many milliseconds the question, or all of programs that run this file, is still denied; nil where neither is.
    func remaining(of key: Key, at now: Int64) -> Int64? {
        let file = key.ofFile.flatMap { remaining(of: $0, at: now) }
        return [remaining(of: key.question, at: now), file].compactMap(\.self).max()
    }

    /// The user has consented.
    mutating func forget(_ key: Key) {
        let file = key.ofFile
        forget { $0 == key.question || $0 == file }
    }

    /// For how many milliseconds it still holds; nil where it does not.
    func remaining(of question: Question, at now: Int64) -> Int64? {
        guard let end = denials[question]?.end, end > now else { return nil }
        return end - now
    }

    /// For how long a no to one process counts for others of its file.
    private static let refusalSpan = Int64(Limits.longestDenialMilliseconds)

    private func hasRefused(_ key: Key, at now: Int64) -> Bool {
        guard let file = key.ofFile else { return false }
        return refused[file]?.contains { $0.process == key.program?.process && $0.end > now } == true
    }

    /// A prompt about one ended without a yes. Where others that run its file had the same, it is a no to all of these: a loop
    /// could show prompts without end, each about another process. One process alone, and one sandbox, causes none.
    ///
    /// - Parameter span: for how long it counts, in milliseconds.
    /// - Returns: for how many milliseconds that holds; nil where it is none.
    private mutating func noteRefusal(of key: Key, for span: Int64, at now: Int64) -> Int64? {
        guard let process = key.program?.process, let file = key.ofFile else { return nil }
        var recent = (refused[file] ?? []).filter { $0.end > now }
        if let index = recent.firstIndex(where: { $0.process == process }) {
            recent[index].end = max(recent[index].end, now + span)
            refused[file] = recent
            return nil
        }
        if refused.count >= Limits.rememberedDenials, refused[file] == nil,
            let oldest = refused.min(by: { ($0.value.last?.end ?? 0) < ($1.value.last?.end ?? 0) })
        {
            refused[oldest.key] = nil
        }
        refused[file] = recent.suffix(Limits.deniedWithdrawals - 1) + [(process: process, end: now + span)]
        // Soon after all were denied one more is enough.
        let isRepeated = denials[file].map { now < $0.end + $0.span } ?? false
        return isRepeated || recent.count + 1 >= Limits.deniedWithdrawals ? note(file, at: now) : nil
    }

    /// The user has decided otherwise since.
    mutating func forget(where fits: (Question) -> Bool) {
        denials = denials.filter { !fits($0.key) }
        withdrawals = withdrawals.filter { !fits($0.key) }
        refused = refused.filter { !fits($0.key) }
    }
}
