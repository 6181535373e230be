// SPDX-License-Identifier: Apache-2.0
internal import AutofillProtocol

/// The files whose content does not have the hash of their name, yet or for good.
struct IncompleteFiles {
    private struct Entry {
        let since: Int64
        var read: Int64
        var sources: [CarriedSource]
    }

    private var entries: [String: Entry] = [:]
    private var met: Set<String> = []
    /// An earlier process has reported files, whose times ended with it: they are among those that the first round finds.
    private var isReported: Bool

    /// A file that has not changed is read again only after this time.
    private static let pauseMilliseconds: Int64 = 600_000

    init(isReported: Bool) { self.isReported = isReported }

    /// Whether the file is to be read now.
    mutating func mayRead(_ path: String, _ sources: [CarriedSource], at now: Int64) -> Bool {
        guard let entry = entries[path], entry.sources == sources else { return true }
        let isDue = now - entry.read >= Self.pauseMilliseconds || now < entry.read
        if !isDue { met.insert(path) }
        return isDue
    }

    /// Records that it was incomplete.
    mutating func note(_ path: String, _ sources: [CarriedSource], at now: Int64) {
        // A clock that was ahead does not delay the report for longer than an hour.
        let first = isReported ? now - CarrierLimits.incompleteMilliseconds : now
        let since = entries[path].map { min($0.since, now) } ?? first
        entries[path] = Entry(since: since, read: now, sources: sources)
        met.insert(path)
    }

    /// Forgets those that were not met in this round.
    ///
    /// - Returns: a problem where one has been incomplete for an hour.
    mutating func endRound(at now: Int64) -> RoundProblem? {
        entries = entries.filter { met.contains($0.key) }
        (met, isReported) = ([], false)
        let late = entries.filter { now - $0.value.since >= CarrierLimits.incompleteMilliseconds }.keys.sorted()
        return late.first.map {
            RoundProblem(.incompleteFiles, "\(late.count) incomplete for an hour: \($0)")
        }
    }
}
