// SPDX-License-Identifier: Apache-2.0
internal import VaultFormat

/// The quota keys of the entries in rows that were stored since the unlock, so that a cut need not open them: of rows that have
/// many entries of few apps, as those of a flood have.
struct ReleaseRowOwners {
    /// Consecutive entries with one quota key.
    private struct Run {
        let key: SealTag
        var count: Int
    }

    /// Fewer entries are opened as fast as they are looked up. So there are at most some 3,000 rows in a full log.
    private static let leastEntries = 64
    /// A row that has more runs than one in so many entries is not worth its memory.
    private static let entriesPerRun = 16

    private var rows: [UInt64: [Run]] = [:]

    /// Records the quota keys of a row's entries, in their order.
    mutating func note(_ keys: [SealTag], of first: UInt64) {
        guard keys.count >= Self.leastEntries else { return }
        var runs: [Run] = []
        for key in keys {
            if runs.last?.key == key {
                runs[runs.count - 1].count += 1
            } else {
                runs.append(Run(key: key, count: 1))
            }
        }
        guard runs.count * Self.entriesPerRun <= keys.count else { return }
        rows[first] = runs
    }

    /// The row was changed or removed.
    mutating func forget(_ first: UInt64) { rows[first] = nil }

    /// The quota keys of a row's entries, in their order; nil where they are not recorded.
    func keys(of first: UInt64) -> [SealTag]? {
        rows[first].map { runs in runs.flatMap { repeatElement($0.key, count: $0.count) } }
    }
}
