// SPDX-License-Identifier: Apache-2.0
internal import Credentials
internal import SecretMemory

/// A cut of the record of releases: what it works on, and where the chain begins and ends after it.
struct ReleaseCutting {
    var head: ReleaseHead
    /// The number of the row that was stored last: it stays.
    let newest: UInt64
    let statements: VaultStatements
    let keys: VaultKeys
    /// The accounts of the entries in that row.
    private let names: Set<SealTag>
    private let journal: ReleaseJournal
    /// How many bytes were dropped.
    var freed = 0

    init(_ head: ReleaseHead, _ journal: ReleaseJournal, _ statements: VaultStatements, _ keys: VaultKeys) {
        self.head = head
        newest = journal.pendingFirst
        names = Set(journal.accounts.names)
        self.journal = journal
        self.statements = statements
        self.keys = keys
    }

    /// The accounts of a row's entries, where they are known without opening them.
    func knownNames(of first: UInt64) -> [SealTag]? { journal.accounts.ofRows.names(of: first) }

    /// A row is another one from now on. What is known of one that stays after all, as the transaction fails, is lost.
    func forget(_ first: UInt64) { journal.forget(row: first) }

    /// Whether the row that was stored last has entries of an account.
    func isInNewest(_ account: SealTag) -> Bool {
        names.contains { head.accounts.owner(of: $0, .max) == account }
    }

    /// Takes the entries of the row that was stored last to the head.
    mutating func note(_ journal: ReleaseJournal) {
        head.next = journal.end.next
        head.last = journal.end.last
        guard keys.format > .first else { return }
        journal.pending.withUnsafeBytes { bytes in
            for (entry, name) in zip(ReleaseEntry.all(in: bytes), journal.accounts.names) {
                head.count += 1
                head.accounts.add(name, entry.bytes.count, entry.sequence)
            }
        }
    }
}

/// A row of the record of releases.
private struct ReleaseRow {
    let first: UInt64
    let bytes: [UInt8]

    init(_ row: borrowing SQLStatement.Row) {
        first = UInt64(bitPattern: row.integer(0))
        bytes = row.copy(1)
    }
}

/// What the record of releases loses where it is too large or too old. By age the oldest rows go. By size the app loses its
/// oldest entries that has the most of them: so one that fills the record pushes out its own, and what others have in up to
/// a share of the whole stays.
extension Vault {
    private static let ageCheckInterval: Int64 = 3_600_000

    /// Before which time entries are too old, by a clock that nobody can set forward; nil where none can be, and within an
    /// hour of the last look.
    func releaseHorizon(at now: Timestamp) throws(VaultError) -> Timestamp? {
        let sinceCheck = hold.purgeClock?.releasesJudged.map { now.milliseconds - $0.milliseconds }
        if let sinceCheck, (0...Self.ageCheckInterval).contains(sinceCheck) { return nil }
        let oldest = try timeOfRelease(fromTheEnd: false)
        let time = try purgeTime(at: now)
        hold.purgeClock?.releasesJudged = now
        guard let oldest, oldest < now.advanced(byMilliseconds: -limits.releaseMilliseconds) else { return nil }
        // So the next process goes on from it, whatever its clock says and whatever was put on record by this one.
        try? keep(purgeTime: time, at: now)
        return time.advanced(byMilliseconds: -limits.releaseMilliseconds)
    }

    /// When the newest entry in the database was made, as the clock said then.
    func newestRelease() throws(VaultError) -> Timestamp? { try timeOfRelease(fromTheEnd: true) }

    /// When the first or last entry in the database was made that can be read.
    private func timeOfRelease(fromTheEnd: Bool) throws(VaultError) -> Timestamp? {
        try read { parts, statements throws(VaultError) in
            let rows = fromTheEnd ? statements.releases.before : statements.releases.oldest
            var found: Timestamp?
            try rows.each([.integer(fromTheEnd ? .max : .min)]) { row throws(VaultError) in
                let entries = ReleaseEntry.all(in: row.bytes(1))
                for entry in fromTheEnd ? entries.reversed() : entries where found == nil {
                    found = entry.open(key: parts.keys.releases)?.release.time
                }
                return found == nil
            }
            return found
        }
    }

    /// Drops what is older than `horizon`, and what is too much of `bytes`.
    ///
    /// - Returns: how many bytes were dropped.
    func cut(
        _ cutting: inout ReleaseCutting, _ bytes: Int, before horizon: Timestamp?
    ) throws(VaultError) -> Int {
        if let horizon { while try dropOldest(&cutting, before: horizon) {} }
        while bytes - cutting.freed > limits.releaseBytes {
            guard let account = cutting.head.accounts.largest else {
                guard try dropOldest(&cutting, before: nil) else { break }
                continue
            }
            if try dropOldest(of: account, &cutting) { continue }
            // What it has came just now, or was damaged.
            if cutting.isInNewest(account.name) { break }
            cutting.head.accounts.end(account.name)
        }
        return cutting.freed
    }

    // MARK: - From the beginning

    /// Drops the oldest row, unless it is the newest or has an entry that is younger.
    private func dropOldest(_ cutting: inout ReleaseCutting, before horizon: Timestamp?) throws(VaultError) -> Bool {
        guard let row = try oldestRow(cutting), row.first != cutting.newest else { return false }
        let keys = cutting.keys
        let isDropped = row.bytes.withUnsafeBytes { bytes in
            let entries = ReleaseEntry.all(in: bytes)
            if let horizon {
                let last = entries.reversed().lazy.compactMap { $0.open(key: keys.releases)?.release.time }.first
                guard let last, last < horizon else { return false }
            }
            for entry in entries {
                if case .gap(let gap) = cutting.passFront(entry) {
                    (cutting.head.first, cutting.head.anchor) = (gap.last &+ 1, gap.tag)
                } else {
                    (cutting.head.first, cutting.head.anchor) = (entry.sequence &+ 1, entry.tag)
                }
            }
            return true
        }
        guard isDropped else { return false }
        try cutting.statements.releases.delete.run(.integer(Int64(bitPattern: row.first)))
        cutting.forget(row.first)
        cutting.freed += row.bytes.count
        try dropLeadingGap(&cutting)
        return true
    }

    private func oldestRow(_ cutting: ReleaseCutting) throws(VaultError) -> ReleaseRow? {
        try cutting.statements.releases.oldest.first(.integer(0)) { row throws(VaultError) in ReleaseRow(row) }
    }

    /// What the record begins with has nothing before it to be linked with.
    private func dropLeadingGap(_ cutting: inout ReleaseCutting) throws(VaultError) {
        while let row = try oldestRow(cutting), row.first != cutting.newest {
            let keys = cutting.keys
            let found = row.bytes.withUnsafeBytes { bytes in
                ReleaseEntry.all(in: bytes).first.flatMap { entry in
                    entry.gap(key: keys.releases).map { ($0, entry.bytes.count) }
                }
            }
            guard let (gap, length) = found, gap.previous == cutting.head.anchor else { return }
            (cutting.head.first, cutting.head.anchor) = (gap.last &+ 1, gap.tag)
            try cutting.replace(row.first, of: row.bytes.count, with: Array(row.bytes.dropFirst(length)))
        }
    }

    // MARK: - From the middle

    /// Drops the entries of an account in the first row that has any; a gap takes their place.
    ///
    /// - Returns: false where there is none but in the newest row.
    private func dropOldest(
        of account: ReleaseAccounts.Account, _ cutting: inout ReleaseCutting
    ) throws(VaultError) -> Bool {
        var found: (row: ReleaseRow, pieces: ReleasePieces)?
        let state = cutting
        try cutting.statements.releases.from.each([.integer(Int64(clamping: account.oldest))]) {
            row throws(VaultError) in
            let first = UInt64(bitPattern: row.integer(0))
            guard first != state.newest else { return false }
            let names = state.knownNames(of: first)
            let pieces =
                names.flatMap { ReleasePieces(row.bytes(1), without: account.name, names: $0, state) }
                ?? ReleasePieces(row.bytes(1), without: account.name, state)
            if pieces.dropped > 0 { found = (ReleaseRow(row), pieces) }
            return found == nil
        }
        guard let found else { return false }
        var pieces = found.pieces
        cutting.head.count -= min(cutting.head.count, UInt64(pieces.dropped))
        cutting.head.accounts.advance(account.name, to: pieces.end)
        cutting.head.accounts.subtract(account.name, pieces.droppedBytes)
        if case .gap(let gap)? = pieces.all.first {
            if found.row.first == cutting.head.first {
                (cutting.head.first, cutting.head.anchor) = (gap.last &+ 1, gap.tag)
                pieces.all.removeFirst()
            } else if try lengthenGap(before: found.row.first, by: gap, &cutting) {
                pieces.all.removeFirst()
            }
        }
        var bytes: [UInt8] = []
        for piece in pieces.all {
            switch piece {
            case .kept(let range): bytes += found.row.bytes[range]
            case .gap(let gap): bytes += try ReleaseEntry.seal(gap, key: cutting.keys.releases, using: &entropy)
            }
        }
        try cutting.replace(found.row.first, of: found.row.bytes.count, with: bytes)
        if found.row.first <= cutting.head.first { try dropLeadingGap(&cutting) }
        return true
    }

    /// Has the gap that the row before ends with, if it does, tell of another one too.
    private func lengthenGap(
        before number: UInt64, by gap: ReleaseGap, _ cutting: inout ReleaseCutting
    ) throws(VaultError) -> Bool {
        let row = try cutting.statements.releases.before.first(.integer(Int64(clamping: number))) {
            row throws(VaultError) in ReleaseRow(row)
        }
        guard let row else { return false }
        let keys = cutting.keys
        let found = row.bytes.withUnsafeBytes { bytes in
            ReleaseEntry.all(in: bytes).last.flatMap { entry in
                entry.gap(key: keys.releases).map { ($0, entry.bytes.count) }
            }
        }
        guard let (shorter, length) = found, shorter.tag == gap.previous else { return false }
        var longer = shorter
        (longer.last, longer.tag) = (gap.last, gap.tag)
        let bytes = try ReleaseEntry.seal(longer, key: cutting.keys.releases, using: &entropy)
        try cutting.replace(row.first, of: row.bytes.count, with: row.bytes.dropLast(length) + bytes)
        return true
    }
}

extension ReleaseCutting {
    /// Takes an entry off its account, which goes with all that is before it.
    fileprivate mutating func passFront(_ entry: ReleaseEntry) -> ReleaseEntry.Piece? {
        guard keys.format > .first else { return nil }
        let piece = entry.piece(key: keys.releases)
        if case .gap? = piece { return piece }
        head.count -= min(head.count, 1)
        guard case .release(let app, let assurance, _)? = piece else { return nil }
        let name = ReleaseAccounts.name(app: app, assurance: assurance)
        head.accounts.subtract(head.accounts.owner(of: name, entry.sequence), entry.bytes.count)
        return piece
    }

    /// Puts other bytes in a row's place, under the number of what they begin with; none for no bytes.
    fileprivate mutating func replace(_ first: UInt64, of length: Int, with bytes: [UInt8]) throws(VaultError) {
        try statements.releases.delete.run(.integer(Int64(bitPattern: first)))
        forget(first)
        let number = bytes.withUnsafeBytes { ReleaseEntry.all(in: $0).first?.sequence }
        if let number { try statements.releases.insert.run(.integer(Int64(bitPattern: number)), .bytes(bytes)) }
        freed += length - bytes.count
    }
}
