// SPDX-License-Identifier: Apache-2.0
internal import SecretMemory
internal import VaultFormat

/// The content of a row without the entries of one quota.
struct ReleasePieces {
    enum Piece {
        /// Its range in the row.
        case kept(Range<Int>)
        case gap(ReleaseGap)
    }

    var all: [Piece] = []
    private(set) var dropped = 0
    private(set) var droppedBytes = 0
    /// The number after the last one of the row.
    private(set) var end: UInt64 = 0

    /// Nothing is dropped of a row that is damaged.
    init(_ bytes: UnsafeRawBufferPointer, without quota: SealTag, _ quotas: ReleaseQuotas, _ key: SecretBytes) {
        let entries = ReleaseEntry.all(in: bytes)
        guard entries.reduce(0, { $0 + $1.bytes.count }) == bytes.count else { return }
        var owners = QuotaKeyCache()
        var offset = 0
        for entry in entries {
            let range = offset..<offset + entry.bytes.count
            offset = range.upperBound
            end = entry.sequence &+ 1
            switch entry.piece(key: key) {
            case .gap(let gap)?:
                end = gap.last &+ 1
                add(gap)
            case .release(let app, let assurance, let previous)?:
                let owner = owners[app, assurance]
                guard quotas.owner(of: owner, entry.sequence) == quota else {
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

    /// The same of a row with these quota keys: only the first entry is opened, as it alone is linked with what is not in the row.
    /// nil where the row does not match them.
    init?(
        _ bytes: UnsafeRawBufferPointer, without quota: SealTag, owners: [SealTag], _ quotas: ReleaseQuotas,
        _ key: SecretBytes
    ) {
        let entries = ReleaseEntry.all(in: bytes)
        guard entries.count == owners.count, entries.reduce(0, { $0 + $1.bytes.count }) == bytes.count,
            case .release(_, _, var previous)? = entries.first?.piece(key: key)
        else { return nil }
        var offset = 0
        for (entry, owner) in zip(entries, owners) {
            let range = offset..<offset + entry.bytes.count
            offset = range.upperBound
            end = entry.sequence &+ 1
            if quotas.owner(of: owner, entry.sequence) == quota {
                dropped += 1
                droppedBytes += range.count
                add(ReleaseGap(first: entry.sequence, previous: previous, last: entry.sequence, tag: entry.tag))
            } else {
                all.append(.kept(range))
            }
            previous = entry.tag
        }
    }

    /// Joins a gap to one before it, unless entries are missing between them.
    private mutating func add(_ gap: ReleaseGap) {
        if case .gap(var longer)? = all.last, gap.continues(longer) {
            (longer.last, longer.tag) = (gap.last, gap.tag)
            all[all.count - 1] = .gap(longer)
        } else {
            all.append(.gap(gap))
        }
    }
}
