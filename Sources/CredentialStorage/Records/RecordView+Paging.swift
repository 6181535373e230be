// SPDX-License-Identifier: Apache-2.0
internal import Credentials
internal import VaultFormat

/// Lists in pages. A page ends where a turn of the event loop would open too many bytes for more.
extension RecordView {
    /// The value of `OpenedRecords.bytes` at which a page that begins now is full. Outside of a turn each page has a turn's bytes.
    var pageEnd: Int {
        guard let turn = unlocked.opened.turn else { return unlocked.opened.bytes + store.limits.turnBytes }
        return unlocked.opened.endsPages ? turn + store.limits.turnBytes : .max
    }

    /// Up to `limit` records of a kind that `isWanted`, in the order of their ids, after `cursor`. A page may have fewer, or none,
    /// where more bytes would have to be opened than a turn may open: another page follows. Damaged records are left out; those in
    /// `scope` are not opened.
    func list<Record: VaultRecord>(
        after cursor: ObjectID?, limit: Int, outside scope: SealTag? = nil,
        where isWanted: (Record) -> Bool = { _ in true }
    ) throws(VaultError) -> VaultPage<Record, ObjectID> {
        let full = pageEnd
        var found: [Record] = []
        var last: ObjectID?
        var hasMore = false
        func take(_ row: borrowing SQLStatement.Row) throws(VaultError) -> Bool {
            hasMore = last != nil && unlocked.opened.bytes >= full
            guard !hasMore else { return false }
            let next = try Self.intact { () throws(VaultError) -> Record in try record(row) }
            if let next, isWanted(next) {
                hasMore = found.count >= limit
                guard !hasMore else { return false }
                found.append(next)
            }
            last = ObjectID(stored: row.bytes(0)) ?? last
            return true
        }
        let position = cursor?.stored ?? [Record.idKind.rawValue]
        let end = [Record.idKind.rawValue] + [UInt8](repeating: 0xFF, count: 16)
        if let scope {
            let range = BlindIndex.range(of: scope)
            try statements.records.ofKindOutsideScope.each([
                .bytes(position), .bytes(end), .bytes(range.first), .bytes(range.last),
            ]) { row throws(VaultError) in try take(row) }
        } else {
            try statements.records.ofKind.each([.bytes(position), .bytes(end), .integer(-1)]) {
                row throws(VaultError) in try take(row)
            }
        }
        return VaultPage(elements: found, next: hasMore ? last : nil)
    }

    /// Opens records by their ids: at least one, up to `limit`, and no more bytes than a turn may open. Damaged ones are left out.
    func page<Record: VaultRecord>(
        of ids: [ObjectID], limit: Int, as _: Record.Type = Record.self
    ) throws(VaultError) -> VaultPage<Record, ObjectID> {
        let end = pageEnd
        var found: [Record] = []
        var last: ObjectID?
        for id in ids.prefix(limit) {
            guard last == nil || unlocked.opened.bytes < end else { return VaultPage(elements: found, next: last) }
            if let record: Record = try fetchIntact(id) { found.append(record) }
            last = id
        }
        return VaultPage(elements: found, next: ids.count > limit ? last : nil)
    }
}

/// One page of a list, and where the next one begins.
package struct VaultPage<Element: Sendable, Cursor: Sendable>: Sendable {
    package let elements: [Element]
    /// nil at the end.
    package let next: Cursor?

    package init(elements: [Element], next: Cursor?) { (self.elements, self.next) = (elements, next) }
}
