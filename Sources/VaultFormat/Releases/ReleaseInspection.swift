// SPDX-License-Identifier: Apache-2.0
internal import Credentials
internal import SecretMemory

/// Follows the chain of the release log through the rows of the database. Numbers increase, and each entry has the tag of the one
/// before. Numbers may be left out where the link matches.
struct ReleaseInspection {
    private let key: SecretBytes
    /// nil where the manifest has no root.
    private let head: ReleaseHead?
    /// Whether the head has the number of the entries.
    private let isCounted: Bool
    private var next: UInt64
    private var previous: SealTag?
    /// How many entries were read, and how many of them the head has.
    private(set) var count = 0
    private var countInHead: Int?
    /// The numbers of what is missing.
    private var faults: [ClosedRange<UInt64>] = []
    /// Those of rows that have other bytes, too.
    private var foreign: [ClosedRange<UInt64>] = []

    init(_ head: ReleaseHead?, isCounted: Bool, key: SecretBytes) {
        (self.head, self.isCounted, self.key) = (head, isCounted, key)
        next = head?.first ?? 0
        previous = head?.anchor
        noteEnd()
    }

    /// Reads the next row.
    mutating func follow(_ bytes: UnsafeRawBufferPointer, _ first: UInt64) {
        let scan = ReleaseScan(bytes, key: key)
        for found in scan.found {
            let number = found.entry.sequence
            if previous != nil, found.previous != previous || number < next {
                fault(min(next, number &- 1), number &- 1)
            }
            next = found.last.number &+ 1
            previous = found.last.tag
            if case .release = found.content { count += 1 }
            noteEnd()
        }
        guard !scan.isWhole || scan.found.first?.entry.sequence != first else { return }
        let last = scan.found.last?.last.number ?? first
        foreign.append(min(first, last)...last)
    }

    private mutating func noteEnd() {
        if let head, previous == head.last, next <= head.next { countInHead = count }
    }

    private mutating func fault(_ first: UInt64, _ last: UInt64) {
        guard first <= last else { return }
        if let end = faults.last, end.upperBound &+ 1 >= first, end.lowerBound <= first {
            faults[faults.count - 1] = end.lowerBound...max(end.upperBound, last)
        } else {
            faults.append(first...last)
        }
    }

    /// What was found in all rows.
    ///
    /// - Parameter mayBeLonger: entries may follow on those that the head has: while the manifest is not trusted they are stored
    ///   without a change of it.
    mutating func finish(mayBeLonger: Bool) -> [VaultFinding] {
        if let head {
            let isComplete = mayBeLonger ? countInHead != nil : previous == head.last && next <= head.next
            if !isComplete { fault(min(next, head.next), max(head.next, next) &- 1) }
            // A row as it was before entries were dropped from it matches the chain, but has too many.
            if isCounted, faults.isEmpty, UInt64(countInHead ?? count) != head.count {
                fault(head.first, head.next &- 1)
            }
        }
        // Where nothing is missing.
        if faults.isEmpty { faults = foreign }
        return faults.map { .releases(first: $0.lowerBound, last: $0.upperBound) }
    }
}
