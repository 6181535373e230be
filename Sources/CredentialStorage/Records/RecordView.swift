// SPDX-License-Identifier: Apache-2.0
internal import Credentials
internal import SecretMemory
internal import VaultFormat

/// The records of an unlocked vault as a transaction, or a read outside of one, sees them. Cannot change them.
struct RecordView {
    let store: RecordStore
    let unlocked: UnlockedVault
    let statements: VaultStatements

    /// The key of the blind indexes.
    var key: KeyedHash { unlocked.keys.index }

    /// The record of a row of id, lookup, version and sealed; throws `recordDamaged` where it is not what was sealed there, or
    /// not what the manifest pins.
    func record<Record: VaultRecord>(
        _ row: borrowing SQLStatement.Row, as _: Record.Type = Record.self
    ) throws(VaultError) -> Record { try found(row).record }

    /// The same, which is passed on without being copied.
    func found<Record: VaultRecord>(
        _ row: borrowing SQLStatement.Row, as _: Record.Type = Record.self
    ) throws(VaultError) -> FoundRecord<Record> {
        guard let row = RecordRow(row), row.id.kind == Record.idKind else { throw .unnamedRecord }
        unlocked.opened.note(row.sealed.count)
        let opened = try row.open(key: unlocked.keys.records) { plain -> FoundRecord<Record>? in
            guard let record = Record(plain: plain, id: row.id, version: row.version) else { return nil }
            return FoundRecord(record)
        }
        guard let found = opened ?? nil else { throw .recordDamaged(row.id) }
        if !unlocked.compared.matches(row.id) { try compareBucket(of: row.id) }
        return found
    }

    /// The record of this id.
    func fetch<Record: VaultRecord>(_ id: ObjectID, as _: Record.Type = Record.self) throws(VaultError) -> Record? {
        guard id.kind == Record.idKind else { return nil }
        return try statements.records.byID.first(key: id.stored) { row throws(VaultError) in try record(row) }
    }

    /// The record of a blind index.
    func fetch<Record: VaultRecord>(
        _ index: BlindIndex, as _: Record.Type = Record.self
    ) throws(VaultError) -> Record? {
        try statements.records.byLookup.first(key: index.bytes) { row throws(VaultError) in try record(row) }
    }

    /// The record of this id; nil also where it is damaged.
    func fetchIntact<Record: VaultRecord>(
        _ id: ObjectID, as _: Record.Type = Record.self
    ) throws(VaultError) -> Record? {
        try Self.intact { () throws(VaultError) -> Record? in try fetch(id) } ?? nil
    }

    /// All records of a scope without the damaged ones.
    func fetchAll<Record: VaultRecord>(
        in scope: SealTag, as _: Record.Type = Record.self
    ) throws(VaultError) -> [Record] {
        let range = BlindIndex.range(of: scope)
        return try statements.records.inScope.all(.bytes(range.first), .bytes(range.last)) { row throws(VaultError) in
            try Self.intact { () throws(VaultError) -> Record in try record(row) }
        }.compactMap { $0 }
    }

    /// The ids of a scope's records in their order. Opens none.
    func ids(in scope: SealTag) throws(VaultError) -> [ObjectID] {
        let range = BlindIndex.range(of: scope)
        return try statements.records.idsInScope.all(.bytes(range.first), .bytes(range.last)) {
            row throws(VaultError) in
            ObjectID(stored: row.bytes(0))
        }.compactMap { $0 }.sorted()
    }

    /// How many records a scope has. Opens none.
    func count(in scope: SealTag) throws(VaultError) -> Int {
        let range = BlindIndex.range(of: scope)
        let found = try statements.records.countInScope.first(.bytes(range.first), .bytes(range.last)) {
            row throws(VaultError) in
            row.integer(0)
        }
        return Int(found ?? 0)
    }

    /// Returns nil instead of an error that concerns one record only.
    static func intact<Record>(_ body: () throws(VaultError) -> Record) throws(VaultError) -> Record? {
        do throws(VaultError) { return try body() } catch {
            if case .recordDamaged = error { return nil }
            guard error == .unnamedRecord else { throw error }
            return nil
        }
    }
}
