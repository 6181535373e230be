// SPDX-License-Identifier: Apache-2.0
internal import AutofillProtocol
internal import PathInspection

/// The files of this machine that the location had, and has no more as this machine wrote them.
struct LostFiles {
    /// What was in the spool before this, in nanoseconds since 1970, was at the location when an earlier process ended.
    private var complete: Int64
    /// What this process has found or written there.
    private var present: Set<String> = []
    /// When each was written into the spool, in nanoseconds since 1970.
    private var lost: [String: Int64] = [:]
    private var restored: RestoredFiles?

    init(_ spool: SpoolDirectory) { complete = spool.lastCompleteRound ?? .min }

    /// A file is at the location.
    mutating func confirm(_ name: String) {
        present.insert(name)
        lost[name] = nil
    }

    /// A file is not at the location, or differs there.
    ///
    /// - Parameter facts: those of the file in the spool.
    mutating func note(_ name: String, _ facts: FileFacts) {
        if present.remove(name) != nil || facts.changed < complete { lost[name] = facts.changed }
    }

    /// A file was written to the location.
    ///
    /// - Parameter now: milliseconds since 1970.
    mutating func write(_ name: String, at now: Int64) {
        let changed = lost[name]
        confirm(name)
        guard let changed else { return }
        let oldest = Int(max(0, changed / 1_000_000))
        restored = RestoredFiles(
            files: (restored?.files ?? 0) + 1, oldest: min(restored?.oldest ?? .max, oldest), time: Int(max(0, now)))
    }

    /// All files that this machine wants to have there were compared.
    mutating func endRound(_ names: some Sequence<String>) {
        complete = .min
        present.formIntersection(names)
        let wanted = Set(names)
        lost = lost.filter { wanted.contains($0.key) }
    }

    /// What was written again since the last call.
    mutating func takeRestored() -> RestoredFiles? {
        defer { restored = nil }
        return restored
    }
}
