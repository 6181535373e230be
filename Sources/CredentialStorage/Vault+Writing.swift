// SPDX-License-Identifier: Apache-2.0
internal import Credentials
internal import SecretMemory

/// Transactions, and sealed rows in them.
extension Vault {
    /// Runs `body` in one durable transaction, with the manifest's part in the same commit. On an error nothing has changed,
    /// in the file and in memory.
    func write<Result>(
        _ body: (UnlockedVault, VaultStatements, inout VaultChanges) throws(VaultError) -> Result
    ) throws(VaultError) -> Result {
        do throws(VaultError) { return try attemptToWrite(body) } catch {
            // The log holds every page as often as it was changed: written back, it may leave room.
            guard error == .storageFull, (try? database.emptyLog()) != nil else { throw error }
            return try attemptToWrite(body)
        }
    }

    private func attemptToWrite<Result>(
        _ body: (UnlockedVault, VaultStatements, inout VaultChanges) throws(VaultError) -> Result
    ) throws(VaultError) -> Result {
        let parts = try unlocked
        guard let before = parts.manifest else { throw .damaged(part: "manifest root") }
        do throws(VaultError) {
            var slots: [SlotRow]?
            let result = try database.write { statements throws(VaultError) in
                var changes = VaultChanges()
                let result = try body(parts, statements, &changes)
                try parts.manifest?.apply(changes, statements, key: parts.keys.manifest, using: &entropy)
                slots = changes.slots
                return result
            }
            if let slots { parts.slots = slots }
            return result
        } catch {
            parts.manifest = before
            throw error
        }
    }

    /// Runs `body` with the statements; the vault must be unlocked.
    func read<Result>(
        _ body: (UnlockedVault, VaultStatements) throws(VaultError) -> Result
    ) throws(VaultError) -> Result {
        let parts = try unlocked
        return try database.read { statements throws(VaultError) in try body(parts, statements) }
    }

    // MARK: - Rows

    /// The first byte of every record's plain text.
    static var recordFormat: UInt8 { 1 }

    /// Adds a row.
    func insert(
        _ record: some VaultRecord, _ parts: UnlockedVault, _ statements: VaultStatements, _ changes: inout VaultChanges
    ) throws(VaultError) {
        let lookup = record.blindIndex(key: parts.keys.index).bytes
        let sealed = try seal(record, lookup: lookup, parts, &changes)
        try statements.records.insert.run(
            .bytes(record.id.stored), .bytes(lookup), .integer(Int64(bitPattern: record.version)), .bytes(sealed))
        changes.tallies[record.tally.rawValue] += 1
    }

    /// Seals a changed record into the row that it has.
    func replace<Record: VaultRecord>(
        _ old: Record, with record: Record, _ parts: UnlockedVault, _ statements: VaultStatements,
        _ changes: inout VaultChanges
    ) throws(VaultError) {
        let lookup = record.blindIndex(key: parts.keys.index).bytes
        let sealed = try seal(record, lookup: lookup, parts, &changes)
        let values: [SQLStatement.Value] = [
            .bytes(record.id.stored), .bytes(lookup), .integer(Int64(bitPattern: record.version)), .bytes(sealed),
        ]
        // SQLite writes an index anew for a column that is set, also to what it was: a page more.
        try statements.records.reseal.run(values)
        if statements.records.reseal.changedRows == 0 { try statements.records.update.run(values) }
        changes.tallies[old.tally.rawValue] -= 1
        changes.tallies[record.tally.rawValue] += 1
    }

    /// Removes a row for good.
    func remove(
        _ record: some VaultRecord, _ statements: VaultStatements, _ changes: inout VaultChanges
    ) throws(VaultError) {
        try statements.records.delete.run(.bytes(record.id.stored))
        changes.entries[record.id] = .some(nil)
        changes.tallies[record.tally.rawValue] -= 1
    }

    private func seal(
        _ record: some VaultRecord, lookup: [UInt8], _ parts: UnlockedVault, _ changes: inout VaultChanges
    ) throws(VaultError) -> [UInt8] {
        let plain = BinaryWriter.encode(padded: SizeClass.record) { writer in
            writer.put(Self.recordFormat)
            record.write(to: &writer)
        }
        guard plain.count <= limits.recordBytes else { throw .tooLarge(limit: limits.recordBytes) }
        let associated = lookup.withUnsafeBytes {
            AssociatedData.record(record.id, version: record.version, lookup: $0)
        }
        let sealed = try plain.withUnsafeBytes { bytes throws(VaultError) in
            try Sealing.seal(bytes, key: parts.keys.records, associated: associated, using: &entropy)
        }
        changes.entries[record.id] = ManifestEntry(
            id: record.id, version: record.version, changed: record.changed,
            tag: sealed.withUnsafeBytes { Sealing.tag(of: $0) })
        return sealed
    }
}
