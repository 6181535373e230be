// SPDX-License-Identifier: Apache-2.0
internal import Credentials
internal import VaultFormat

/// What the release log drops where it is too large or too old. By age the oldest rows are dropped. By size the app that has the
/// most loses its oldest entries: an app that fills the log pushes out its own, and what others have up to a quota of the whole
/// stays.
struct ReleaseCutting {
    /// Where the chain begins and ends after the cut.
    private(set) var head: ReleaseHead
    /// How many bytes were dropped.
    private(set) var freed = 0
    /// The number of the row that is stored last: it stays.
    private let newest: UInt64
    /// The quota keys of the entries in that row.
    private let keysOfNewest: Set<SealTag>
    private let records: RecordView
    private let journal: ReleaseJournal

    init(_ records: RecordView) {
        self.records = records
        journal = records.unlocked.releases
        head = records.unlocked.manifest?.root.releases ?? ReleaseHead()
        newest = journal.pendingFirst
        keysOfNewest = Set(journal.owners.keys)
    }

    private var keys: VaultKeys { records.unlocked.keys }
    private var statements: VaultStatements.Releases { records.statements.releases }

    /// Adds the entries of the row that is stored last to the head.
    mutating func addPending() {
        head.next = journal.end.next
        head.last = journal.end.last
        guard keys.format > .first else { return }
        journal.pending.withUnsafeBytes { bytes in
            for (entry, key) in zip(ReleaseEntry.all(in: bytes), journal.owners.keys) {
                head.count += 1
                head.quotas.add(key, entry.bytes.count, entry.sequence)
            }
        }
    }

    /// Drops what is older than `horizon`, and what `bytes` exceed the limit by; nil where they were not counted yet.
    mutating func cut(_ bytes: Int?, before horizon: Timestamp?) throws(VaultError) {
        if let horizon { while try dropOldest(before: horizon) {} }
        guard let bytes else { return }
        while bytes - freed > records.store.limits.releaseBytes {
            guard let quota = head.quotas.largest else {
                guard try dropOldest(before: nil) else { break }
                continue
            }
            if try dropOldest(of: quota) { continue }
            // Its entries were added just now, or are damaged.
            if keysOfNewest.contains(where: { head.quotas.owner(of: $0, .max) == quota.key }) { break }
            head.quotas.end(quota.key)
        }
    }

    // MARK: - From the beginning

    /// Drops the oldest row, unless it is the newest or has an entry that is younger.
    private mutating func dropOldest(before horizon: Timestamp?) throws(VaultError) -> Bool {
        guard let row = try oldestRow(), row.first != newest else { return false }
        let key = keys.releases
        let isDropped = row.bytes.withUnsafeBytes { bytes in
            let entries = ReleaseEntry.all(in: bytes)
            if let horizon {
                let last = entries.reversed().lazy.compactMap { $0.open(key: key)?.time }.first
                guard let last, last < horizon else { return false }
            }
            for entry in entries {
                if case .gap(let gap) = subtract(entry) {
                    (head.first, head.anchor) = (gap.last &+ 1, gap.tag)
                } else {
                    (head.first, head.anchor) = (entry.sequence &+ 1, entry.tag)
                }
            }
            return true
        }
        guard isDropped else { return false }
        try statements.delete.run(.integer(Int64(bitPattern: row.first)))
        journal.forget(row: row.first)
        freed += row.bytes.count
        try dropLeadingGap()
        return true
    }

    /// Subtracts an entry that is dropped with all that is before it from its quota.
    private mutating func subtract(_ entry: ReleaseEntry) -> ReleaseEntry.Piece? {
        guard keys.format > .first else { return nil }
        let piece = entry.piece(key: keys.releases)
        if case .gap? = piece { return piece }
        head.count -= min(head.count, 1)
        guard case .release(let app, let assurance, _)? = piece else { return nil }
        let key = ReleaseQuotas.key(app: app, assurance: assurance)
        head.quotas.subtract(head.quotas.owner(of: key, entry.sequence), entry.bytes.count)
        return piece
    }

    private func oldestRow() throws(VaultError) -> ReleaseRow? {
        try statements.oldest.first(.integer(0)) { row throws(VaultError) in ReleaseRow(row) }
    }

    /// A gap at the beginning of the log has nothing before it to be linked with.
    private mutating func dropLeadingGap() throws(VaultError) {
        while let row = try oldestRow(), row.first != newest {
            let found = row.bytes.withUnsafeBytes { bytes in
                ReleaseEntry.all(in: bytes).first.flatMap { entry in
                    entry.gap(key: keys.releases).map { ($0, entry.bytes.count) }
                }
            }
            guard let (gap, length) = found, gap.previous == head.anchor else { return }
            (head.first, head.anchor) = (gap.last &+ 1, gap.tag)
            try replace(row.first, of: row.bytes.count, with: Array(row.bytes.dropFirst(length)))
        }
    }

    // MARK: - From the middle

    /// Drops the entries of a quota in the first row that has any; a gap replaces them.
    ///
    /// - Returns: false where only the newest row has any.
    private mutating func dropOldest(of quota: ReleaseQuotas.Quota) throws(VaultError) -> Bool {
        var found: (row: ReleaseRow, pieces: ReleasePieces)?
        let (quotas, key) = (head.quotas, keys.releases)
        try statements.from.each([.integer(Int64(clamping: quota.oldest))]) { row throws(VaultError) in
            let first = UInt64(bitPattern: row.integer(0))
            guard first != newest else { return false }
            let pieces =
                journal.owners.ofRows.keys(of: first).flatMap {
                    ReleasePieces(row.bytes(1), without: quota.key, owners: $0, quotas, key)
                } ?? ReleasePieces(row.bytes(1), without: quota.key, quotas, key)
            if pieces.dropped > 0 { found = (ReleaseRow(row), pieces) }
            return found == nil
        }
        guard let found else { return false }
        var pieces = found.pieces
        head.count -= min(head.count, UInt64(pieces.dropped))
        head.quotas.advance(quota.key, to: pieces.end)
        head.quotas.subtract(quota.key, pieces.droppedBytes)
        if case .gap(let gap)? = pieces.all.first {
            if found.row.first == head.first {
                (head.first, head.anchor) = (gap.last &+ 1, gap.tag)
                pieces.all.removeFirst()
            } else if try lengthenGap(before: found.row.first, by: gap) {
                pieces.all.removeFirst()
            }
        }
        var bytes: [UInt8] = []
        for piece in pieces.all {
            switch piece {
            case .kept(let range): bytes += found.row.bytes[range]
            case .gap(let gap): bytes += try ReleaseEntry.seal(gap, key: key, using: &records.store.entropy)
            }
        }
        try replace(found.row.first, of: found.row.bytes.count, with: bytes)
        if found.row.first <= head.first { try dropLeadingGap() }
        return true
    }

    /// Extends the gap at the end of the row before, if it ends with one, by another one.
    private mutating func lengthenGap(before number: UInt64, by gap: ReleaseGap) throws(VaultError) -> Bool {
        let row = try statements.before.first(.integer(Int64(clamping: number))) { row throws(VaultError) in
            ReleaseRow(row)
        }
        guard let row else { return false }
        let found = row.bytes.withUnsafeBytes { bytes in
            ReleaseEntry.all(in: bytes).last.flatMap { entry in
                entry.gap(key: keys.releases).map { ($0, entry.bytes.count) }
            }
        }
        guard let (shorter, length) = found, gap.continues(shorter) else { return false }
        var longer = shorter
        (longer.last, longer.tag) = (gap.last, gap.tag)
        let bytes = try ReleaseEntry.seal(longer, key: keys.releases, using: &records.store.entropy)
        try replace(row.first, of: row.bytes.count, with: row.bytes.dropLast(length) + bytes)
        return true
    }

    /// Replaces a row by other bytes, under the number of their first entry; removes it for no bytes.
    private mutating func replace(_ first: UInt64, of length: Int, with bytes: [UInt8]) throws(VaultError) {
        try statements.delete.run(.integer(Int64(bitPattern: first)))
        journal.forget(row: first)
        let number = bytes.withUnsafeBytes { ReleaseEntry.all(in: $0).first?.sequence }
        if let number { try statements.insert.run(.integer(Int64(bitPattern: number)), .bytes(bytes)) }
        freed += length - bytes.count
    }
}

/// A row of the release log.
private struct ReleaseRow {
    let first: UInt64
    let bytes: [UInt8]

    init(_ row: borrowing SQLStatement.Row) {
        first = UInt64(bitPattern: row.integer(0))
        bytes = row.copy(1)
    }
}
