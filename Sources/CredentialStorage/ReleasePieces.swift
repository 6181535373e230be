// SPDX-License-Identifier: Apache-2.0

/// What a row is made of once the entries of one account are out of it.
struct ReleasePieces {
    enum Piece {
        /// Where it is in the row.
        case kept(Range<Int>)
        case gap(ReleaseGap)
    }

    var all: [Piece] = []
    private(set) var dropped = 0
    private(set) var droppedBytes = 0
    /// The number behind the last one of the row.
    private(set) var end: UInt64 = 0

    /// Nothing is dropped of a row that is damaged.
    init(_ bytes: UnsafeRawBufferPointer, without account: SealTag, _ cutting: ReleaseCutting) {
        let entries = ReleaseEntry.all(in: bytes)
        guard entries.reduce(0, { $0 + $1.bytes.count }) == bytes.count else { return }
        var names = ReleaseJournal.Names()
        var offset = 0
        for entry in entries {
            let range = offset..<offset + entry.bytes.count
            offset = range.upperBound
            end = entry.sequence &+ 1
            switch entry.piece(key: cutting.keys.releases) {
            case .gap(let gap)?:
                end = gap.last &+ 1
                add(gap)
            case .release(let app, let assurance, let previous)?:
                let name = names[app, assurance]
                guard cutting.head.accounts.owner(of: name, entry.sequence) == account else {
                    all.append(.kept(range))
                    continue
                }
                dropped += 1
                droppedBytes += range.count
                add(ReleaseGap(first: entry.sequence, previous: previous, last: entry.sequence, tag: entry.tag))
            case nil: all.append(.kept(range))
            }
        }
    }

    /// The same of a row whose entries' accounts are known: only the first is opened, as it alone is linked with what is not in the
    /// row. nil where the row is not as it is known to be.
    init?(
        _ bytes: UnsafeRawBufferPointer, without account: SealTag, names: [SealTag], _ cutting: ReleaseCutting
    ) {
        let entries = ReleaseEntry.all(in: bytes)
        guard entries.count == names.count, entries.reduce(0, { $0 + $1.bytes.count }) == bytes.count,
            case .release(_, _, var previous)? = entries.first?.piece(key: cutting.keys.releases)
        else { return nil }
        var offset = 0
        for (entry, name) in zip(entries, names) {
            let range = offset..<offset + entry.bytes.count
            offset = range.upperBound
            end = entry.sequence &+ 1
            if cutting.head.accounts.owner(of: name, entry.sequence) == account {
                dropped += 1
                droppedBytes += range.count
                add(ReleaseGap(first: entry.sequence, previous: previous, last: entry.sequence, tag: entry.tag))
            } else {
                all.append(.kept(range))
            }
            previous = entry.tag
        }
    }

    /// One gap behind another is one.
    private mutating func add(_ gap: ReleaseGap) {
        if case .gap(var longer)? = all.last {
            (longer.last, longer.tag) = (gap.last, gap.tag)
            all[all.count - 1] = .gap(longer)
        } else {
            all.append(.gap(gap))
        }
    }
}
