// SPDX-License-Identifier: Apache-2.0
internal import Credentials
internal import SecretMemory

/// A part of a list, and where the next one begins.
package struct VaultPage<Element: Sendable, Cursor: Sendable>: Sendable {
    package let elements: [Element]
    /// nil at the end.
    package let next: Cursor?

    package init(elements: [Element], next: Cursor?) { (self.elements, self.next) = (elements, next) }
}

/// From rows to records.
extension Vault {
    /// The record of a row of id, lookup, version and sealed; throws `recordDamaged` where it is not what was sealed there, or
    /// not what the manifest pins.
    func record<Record: VaultRecord>(
        _ row: borrowing SQLStatement.Row, _ parts: UnlockedVault, _ statements: VaultStatements,
        as _: Record.Type = Record.self
    ) throws(VaultError) -> Record {
        guard let id = ObjectID(stored: row.bytes(0)), id.kind == Record.idKind else {
            throw .unnamedRecord
        }
        let version = UInt64(bitPattern: row.integer(2))
        let sealed = row.bytes(3)
        parts.reads.opened.note(sealed.count)
        let associated = AssociatedData.record(id, version: version, lookup: row.bytes(1))
        let opened = try Sealing.open(sealed, key: parts.keys.records, associated: associated) {
            plain throws(VaultError) -> Record in
            guard let record = Self.parse(plain, id: id, version: version, as: Record.self) else {
                throw .recordDamaged(id)
            }
            return record
        }
        guard let record = opened else { throw .recordDamaged(id) }
        if !parts.reads.compared.isAll { try compareBucket(of: id, parts, statements) }
        return record
    }

    /// Reads a record's plain text; nil where it is not one.
    static func parse<Record: VaultRecord>(
        _ plain: UnsafeRawBufferPointer, id: ObjectID, version: UInt64, as _: Record.Type
    ) -> Record? {
        var reader = BinaryReader(plain)
        guard let header = RecordHeader(from: &reader) else { return nil }
        reader.format = header.format
        let record = Record(from: &reader, id: id, version: version)
        return reader.isAtEnd ? record : nil
    }

    /// A record of whatever kind its id says.
    static func parse(_ plain: UnsafeRawBufferPointer, id: ObjectID, version: UInt64) -> (any VaultRecord)? {
        switch id.kind {
        case .credential: parse(plain, id: id, version: version, as: Credential.self)
        case .offer: parse(plain, id: id, version: version, as: Offer.self)
        case .item: parse(plain, id: id, version: version, as: Item.self)
        case .grant: parse(plain, id: id, version: version, as: Grant.self)
        case .verifier: parse(plain, id: id, version: version, as: Verifier.self)
        case .setting: parse(plain, id: id, version: version, as: StoredSetting.self)
        case .release: nil
        }
    }

    /// The record of this id.
    func fetch<Record: VaultRecord>(
        _ id: ObjectID, _ parts: UnlockedVault, _ statements: VaultStatements, as _: Record.Type = Record.self
    ) throws(VaultError) -> Record? {
        guard id.kind == Record.idKind else { return nil }
        return try statements.records.byID.first(key: id.stored) { row throws(VaultError) in
            try record(row, parts, statements)
        }
    }

    /// The record that a blind index names.
    func fetch<Record: VaultRecord>(
        _ index: BlindIndex, _ parts: UnlockedVault, _ statements: VaultStatements, as _: Record.Type = Record.self
    ) throws(VaultError) -> Record? {
        try statements.records.byLookup.first(key: index.bytes) { row throws(VaultError) in
            try record(row, parts, statements)
        }
    }

    /// All records of a scope; one that is damaged is left out, the rest stands.
    func fetchAll<Record: VaultRecord>(
        in scope: SealTag, _ parts: UnlockedVault, _ statements: VaultStatements, as _: Record.Type = Record.self
    ) throws(VaultError) -> [Record] {
        let range = BlindIndex.range(of: scope)
        return try statements.records.inScope.all(.bytes(range.first), .bytes(range.last)) { row throws(VaultError) in
            try sound { () throws(VaultError) -> Record in try record(row, parts, statements) }
        }.compactMap { $0 }
    }

    /// The ids of a scope's records in their order, without opening them.
    func ids(in scope: SealTag, _ statements: VaultStatements) throws(VaultError) -> [ObjectID] {
        let range = BlindIndex.range(of: scope)
        return try statements.records.idsInScope.all(.bytes(range.first), .bytes(range.last)) {
            row throws(VaultError) in
            ObjectID(stored: row.bytes(0))
        }.compactMap { $0 }.sorted()
    }

    /// How many records a scope has, without opening them.
    func count(in scope: SealTag, _ statements: VaultStatements) throws(VaultError) -> Int {
        let range = BlindIndex.range(of: scope)
        let found = try statements.records.countInScope.first(.bytes(range.first), .bytes(range.last)) {
            row throws(VaultError) in
            row.integer(0)
        }
        return Int(found ?? 0)
    }

    /// Up to `limit` records of a kind that `isWanted`, in the order of their ids, behind `cursor`; fewer, or none, where more would
    /// have to be opened for them than a turn may: then another page follows. One that is damaged is left out, and so are those of
    /// `scope`, which are not even opened.
    func list<Record: VaultRecord>(
        after cursor: ObjectID?, limit: Int, outside scope: SealTag? = nil,
        where isWanted: (Record) -> Bool = { _ in true }
    ) throws(VaultError) -> VaultPage<Record, ObjectID> {
        try read { parts, statements throws(VaultError) in
            let full = pageEnd(parts)
            var found: [Record] = []
            var last: ObjectID?
            var hasMore = false
            func take(_ row: borrowing SQLStatement.Row) throws(VaultError) -> Bool {
                hasMore = last != nil && parts.reads.opened.bytes >= full
                guard !hasMore else { return false }
                let next = try sound { () throws(VaultError) -> Record in try record(row, parts, statements) }
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
    }

    /// nil instead of an error that concerns one record only.
    func sound<Record>(_ body: () throws(VaultError) -> Record) throws(VaultError) -> Record? {
        do throws(VaultError) { return try body() } catch {
            if case .recordDamaged = error { return nil }
            guard error == .unnamedRecord else { throw error }
            return nil
        }
    }
}
