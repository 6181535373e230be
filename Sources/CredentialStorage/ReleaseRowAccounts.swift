// SPDX-License-Identifier: Apache-2.0

/// Whose the entries are of rows that were stored since the unlock, so that a cut need not open them to know: of rows that have
/// many entries of few apps, as a flood's have.
struct ReleaseRowAccounts {
    /// Entries in a row of one account.
    private struct Run {
        let name: SealTag
        var count: Int
    }

    /// Fewer entries are opened as fast as they are looked up. So there are some 3,000 rows at most in a full record.
    private static let leastEntries = 64
    /// A row that has more runs than one in so many entries is not worth its memory.
    private static let entriesPerRun = 16

    private var rows: [UInt64: [Run]] = [:]

    /// Takes the accounts of a row's entries, in their order.
    mutating func note(_ names: [SealTag], of first: UInt64) {
        guard names.count >= Self.leastEntries else { return }
        var runs: [Run] = []
        for name in names {
            if runs.last?.name == name {
                runs[runs.count - 1].count += 1
            } else {
                runs.append(Run(name: name, count: 1))
            }
        }
        guard runs.count * Self.entriesPerRun <= names.count else { return }
        rows[first] = runs
    }

    /// The row is another one now, or gone.
    mutating func forget(_ first: UInt64) { rows[first] = nil }

    /// The accounts of a row's entries, in their order; nil where they are not known.
    func names(of first: UInt64) -> [SealTag]? {
        rows[first].map { runs in runs.flatMap { repeatElement($0.name, count: $0.count) } }
    }
}
