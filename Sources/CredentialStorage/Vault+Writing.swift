// SPDX-License-Identifier: Apache-2.0
internal import Credentials
internal import SecretMemory

/// Transactions, and sealed rows in them.
extension Vault {
    /// Runs `body` in one durable transaction, with the manifest's part in the same commit. On an error nothing has changed,
    /// in the file and in memory. A vault of an older format is changed only where `inAnyFormat` says so. A transaction that is
    /// not durable is marked as the last change by `finish(_: BackgroundSync)`, or with the next durable one.
    func write<Result>(
        inAnyFormat: Bool = false, isDurable: Bool = true,
        _ body: (UnlockedVault, VaultStatements, inout VaultChanges) throws(VaultError) -> Result
    ) throws(VaultError) -> Result {
        if !inAnyFormat { try checkFormat(unlocked) }
        do throws(VaultError) { return try attemptToWrite(isDurable: isDurable, body) } catch {
            // The log holds every page as often as it was changed: written back, it may leave room.
            guard error == .storageFull, (try? database.emptyLog()) != nil else { throw error }
            return try attemptToWrite(isDurable: isDurable, body)
        }
    }

    private func attemptToWrite<Result>(
        isDurable: Bool, _ body: (UnlockedVault, VaultStatements, inout VaultChanges) throws(VaultError) -> Result
    ) throws(VaultError) -> Result {
        let parts = try unlocked
        let before = try parts.trustedManifest
        do throws(VaultError) {
            var slots: [SlotRow]?
            var written: [Credential] = []
            let result = try database.write(isDurable: isDurable) { statements throws(VaultError) in
                var changes = VaultChanges()
                let result = try body(parts, statements, &changes)
                try parts.manifest?.apply(changes, statements, key: parts.keys.manifest, using: &entropy)
                (slots, written) = (changes.slots, changes.credentials)
                return result
            }
            if isDurable { noteChange(parts) }
            for credential in written { noteOrder(of: credential, parts) }
            parts.orders.rooms.written += written.count
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

    /// Adds a row.
    func insert(
        _ record: some VaultRecord, _ parts: UnlockedVault, _ statements: VaultStatements, _ changes: inout VaultChanges
    ) throws(VaultError) {
        let row = try seal(record, parts, &changes)
        try statements.records.insert.run(row.values)
        try row.lookups.insert(statements)
        changes.tallies[record.tally.rawValue] += 1
        if let credential = record as? Credential { changes.credentials.append(credential) }
    }

    /// Seals a changed record into the row that it has.
    func replace<Record: VaultRecord>(
        _ old: Record, with record: Record, _ parts: UnlockedVault, _ statements: VaultStatements,
        _ changes: inout VaultChanges
    ) throws(VaultError) {
        let row = try seal(record, parts, &changes)
        let values = row.values
        // SQLite writes an index anew for a column that is set, also to what it was: a page more.
        try statements.records.reseal.run(values)
        if statements.records.reseal.changedRows == 0 { try statements.records.update.run(values) }
        try row.lookups.replace(LookupRows(of: old, key: parts.keys.index), statements)
        changes.tallies[old.tally.rawValue] -= 1
        changes.tallies[record.tally.rawValue] += 1
        if let credential = record as? Credential { changes.credentials.append(credential) }
    }

    /// Keeps the orders of credentials what they are after one was written.
    private func noteOrder(of credential: Credential, _ parts: UnlockedVault) {
        let key = parts.keys.index
        parts.orders.note(credential, lastUsed: parts.uses[credential.id], in: credential.lists(key: key))
    }

    /// Removes a row for good.
    func remove(
        _ record: some VaultRecord, _ statements: VaultStatements, _ changes: inout VaultChanges
    ) throws(VaultError) {
        try statements.records.delete.run(.bytes(record.id.stored))
        try statements.lookups?.delete.run(.bytes(record.id.stored))
        changes.entries[record.id] = .some(nil)
        changes.tallies[record.tally.rawValue] -= 1
    }

    /// Seals a record into the row that the transaction's manifest will pin.
    private func seal(
        _ record: some VaultRecord, _ parts: UnlockedVault, _ changes: inout VaultChanges
    ) throws(VaultError) -> SealedRow {
        let generation = (parts.manifest?.root.generation ?? 0) &+ 1
        let row = try SealedRow(record, sealing: generation, parts.keys, using: &entropy)
        guard row.sealed.count - Sealing.overhead <= limits.recordBytes else {
            throw .tooLarge(limit: limits.recordBytes)
        }
        changes.entries[record.id] = row.entry
        return row
    }
}
