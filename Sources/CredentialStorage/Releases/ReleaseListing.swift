// SPDX-License-Identifier: Apache-2.0
package import Credentials
internal import SecretMemory
internal import VaultFormat

/// A page of the release log.
package struct ReleasePage: Sendable {
    /// The newest first.
    package let elements: [NumberedRelease]
    /// The number that the next page begins before; nil where there is none.
    package let next: UInt64?
    /// The numbers of entries of the page that cannot be read or are gone, the newest first. Those that were dropped
    /// by size or age are not among them.
    package let missing: [ClosedRange<UInt64>]
}

/// An entry of the release log and its number.
package struct NumberedRelease: Sendable {
    package let number: UInt64
    package let release: Release
}

/// Collects a page from the end of the log on.
struct ReleaseListing {
    private let limit: Int
    private let key: SecretBytes
    /// All from here on was met, or is missing.
    private(set) var end: UInt64
    private var elements: [NumberedRelease] = []
    private var missing: [ClosedRange<UInt64>] = []

    init(before end: UInt64, limit: Int, key: SecretBytes) { (self.end, self.limit, self.key) = (end, limit, key) }

    /// Adds those of a run of entries that are before the end.
    ///
    /// - Returns: whether more are wanted.
    mutating func take(_ bytes: UnsafeRawBufferPointer) -> Bool {
        let entries = ReleaseEntry.all(in: bytes)
        if entries.reduce(0, { $0 + $1.bytes.count }) == bytes.count, let isMoreWanted = take(intact: entries) {
            return isMoreWanted
        }
        for found in ReleaseScan(bytes, key: key).found.reversed() where found.entry.sequence < end {
            guard take(found.entry.sequence, found.content) else { return false }
        }
        return true
    }

    /// nil where one does not open: its length may hide others.
    private mutating func take(intact entries: [ReleaseEntry]) -> Bool? {
        // The first that was met before shows that no other one is hidden in it.
        var met: ReleaseEntry?
        for entry in entries.reversed() {
            guard entry.sequence < end else {
                met = entry
                continue
            }
            if let met, met.content(key: key) == nil { return nil }
            met = nil
            guard let content = entry.content(key: key) else { return nil }
            guard take(entry.sequence, content) else { return false }
        }
        return met.map { $0.content(key: key) != nil } ?? true ? true : nil
    }

    private mutating func take(_ number: UInt64, _ content: ReleaseEntry.Content) -> Bool {
        var last = number
        if case .gap(let gap) = content { last = min(gap.last, end - 1) }
        if last + 1 < end { missing.append(last + 1...end - 1) }
        end = number
        if case .release(let release, _) = content {
            elements.append(NumberedRelease(number: number, release: release))
        }
        return elements.count <= limit
    }

    /// - Parameter first: the number of the first entry of the log, where it is known.
    func page(from first: UInt64?) -> ReleasePage {
        guard elements.count <= limit else {
            let page = Array(elements.prefix(limit))
            let next = page.last?.number ?? end
            return ReleasePage(elements: page, next: next, missing: missing.filter { $0.lowerBound > next })
        }
        var missing = missing
        if let first, first < end { missing.append(first...end - 1) }
        return ReleasePage(elements: elements, next: nil, missing: missing)
    }
}
