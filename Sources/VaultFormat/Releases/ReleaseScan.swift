// SPDX-License-Identifier: Apache-2.0
package import SecretMemory

/// Reads a run of entries that may be damaged. Where no entry opens, it continues at the next position at which one
/// does: damage makes the entries unreadable that it lies in, and no other.
package struct ReleaseScan {
    package struct Found {
        package let entry: ReleaseEntry
        package let content: ReleaseEntry.Content
        /// Where it ends in the run.
        package let end: Int

        /// The tag of what it continues.
        package var previous: SealTag {
            switch content {
            case .release(_, let link): link.previous
            case .gap(let gap): gap.previous
            }
        }

        /// The number and the tag of the last entry that it is, or replaces.
        package var last: (number: UInt64, tag: SealTag) {
            switch content {
            case .release: (entry.sequence, entry.tag)
            case .gap(let gap): (gap.last, gap.tag)
            }
        }
    }

    /// In the order of their numbers, each number once.
    package private(set) var found: [Found] = []
    /// Whether the run has these entries in this order, and nothing else.
    package private(set) var isWhole = true

    /// Numbers that a log may have. Most of what lies where no entry begins has another one, and is not opened.
    package static let numbers: ClosedRange<UInt64> = 1...1 << 40

    /// - Parameter numbers: of the entries that are searched for.
    package init(_ bytes: UnsafeRawBufferPointer, numbers: ClosedRange<UInt64> = Self.numbers, key: SecretBytes) {
        var position = 0
        let end = Self.endWithoutZeros(bytes)
        while position < end {
            if let entry = ReleaseEntry(at: position, of: bytes), numbers.contains(entry.sequence),
                let content = entry.content(key: key)
            {
                position += entry.bytes.count
                found.append(Found(entry: entry, content: content, end: position))
            } else {
                isWhole = false
                position += 1
            }
        }
        if position < bytes.count { isWhole = false }
        guard !zip(found, found.dropFirst()).allSatisfy({ $0.entry.sequence < $1.entry.sequence }) else { return }
        isWhole = false
        sort()
    }

    /// Of several with one number that stays which continues the one before it, else the first.
    private mutating func sort() {
        let inOrder = found.enumerated().sorted {
            ($0.element.entry.sequence, $0.offset) < ($1.element.entry.sequence, $1.offset)
        }
        found = []
        for (_, one) in inOrder {
            guard let last = found.last, last.entry.sequence == one.entry.sequence else {
                found.append(one)
                continue
            }
            let former = found.dropLast().last?.last.tag
            if last.previous != former, one.previous == former { found[found.count - 1] = one }
        }
    }

    /// A file of fixed length is mostly zeros.
    private static func endWithoutZeros(_ bytes: UnsafeRawBufferPointer) -> Int {
        var end = bytes.count
        while end >= 8, bytes.loadUnaligned(fromByteOffset: end - 8, as: UInt64.self) == 0 { end -= 8 }
        return end
    }
}
