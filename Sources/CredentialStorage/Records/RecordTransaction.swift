// SPDX-License-Identifier: Apache-2.0
internal import Credentials
internal import SecretMemory
internal import VaultFormat

/// One transaction that changes records.
struct RecordTransaction {
    let records: RecordView
    /// What the transaction changes in the manifest.
    var changes = VaultChanges()
    /// Whether it may write more credentials than are kept in memory.
    var isBulk = false
    /// Whether it stores what was merged: that has its stamps.
    var isMerging = false
    /// Whether it returns what was in the vault before, however long a merge has made that.
    var isReturning = false
    /// The credentials that it has saved, where sync is started: those that are stamped after it, and those that are in it.
    var unstamped: [ObjectID] = [], stampedAtOnce: [ObjectID] = []
    /// What it has replaced of credentials that may not have been stamped as that, and the earlier of the times of both.
    var replacedUnstamped: [(old: Credential, time: Timestamp)] = []
    /// The credentials that it has removed for good, where sync is started: their stamps state it in the same transaction.
    var removedCredentials: [Credential] = []

    var unlocked: UnlockedVault { records.unlocked }
    var statements: VaultStatements { records.statements }

    init(records: RecordView) { self.records = records }

    /// Adds a row.
    mutating func insert(_ record: some VaultRecord) throws(VaultError) {
        // What is read later in the transaction has its bucket compared with a manifest that does not state this row yet.
        if !unlocked.compared.matches(record.id) { try records.compareBucket(of: record.id) }
        let row = try seal(record)
        try statements.records.insert.run(row.values)
        try row.lookups.insert(statements)
        changes.tallies[record.tally.rawValue] += 1
        note(record)
        noteForSync(nil, record)
    }

    /// Notes a save for sync. The time of last use is no change for others: it keeps the version.
    private mutating func noteForSync<Record: VaultRecord>(_ old: Record?, _ new: Record) {
        guard let noted = records.store.sync?.noted, !isMerging, let new = new as? Credential else { return }
        guard let old = old as? Credential else { return unstamped.append(new.id) }
        guard old.version != new.version else { return }
        // Of an import all would be in memory at once.
        if !isBulk, !noted.hasFormer || noted.unstamped.contains(old.id) {
            replacedUnstamped.append((old, min(old.changed, new.changed)))
        }
        // The stamps have the logins of the rows at all times: else another credential that gets one is taken for the same.
        let isMoved = old.services != new.services || !old.user.utf8.elementsEqual(new.user.utf8)
        if isMoved || (old.deleted == nil) != (new.deleted == nil) {
            stampedAtOnce.append(new.id)
        } else {
            unstamped.append(new.id)
        }
    }

    private mutating func note(_ record: some VaultRecord) {
        guard let credential = record as? Credential else { return }
        if isBulk { changes.bulkCredentials += 1 } else { changes.credentials.append(credential) }
    }

    /// Seals a changed record into its row.
    mutating func replace<Record: VaultRecord>(_ old: Record, with record: Record) throws(VaultError) {
        let row = try seal(record)
        let values = row.values
        // SQLite writes an index again for a column that is set, also to the same value: one page more.
        try statements.records.reseal.run(values)
        if statements.records.reseal.changedRows == 0 { try statements.records.update.run(values) }
        try row.lookups.replace(LookupRows(of: old, key: records.key), statements)
        changes.tallies[old.tally.rawValue] -= 1
        changes.tallies[record.tally.rawValue] += 1
        note(record)
        noteForSync(old, record)
    }

    /// Removes a row for good.
    mutating func remove(_ record: some VaultRecord) throws(VaultError) {
        try statements.records.delete.run(.bytes(record.id.stored))
        try statements.lookups?.delete.run(.bytes(record.id.stored))
        changes.entries[record.id] = .some(nil)
        changes.tallies[record.tally.rawValue] -= 1
        guard let credential = record as? Credential else { return }
        if isBulk { changes.bulkCredentials += 1 }
        if records.store.sync != nil, !isMerging { removedCredentials.append(credential) }
    }

    /// Keeps a value under a name; nil removes it.
    mutating func setSetting(_ name: String, to value: SecretBytes?, at now: Timestamp) throws(VaultError) {
        let old: StoredSetting? = try records.fetch(StoredSetting.blindIndex(name: name, key: records.key))
        switch (old, value) {
        case (nil, nil): break
        case (let old?, nil): try remove(old)
        case (nil, let value?):
            try insert(StoredSetting(id: records.store.newID(.setting), name: name, value: value, changed: now))
        case (let old?, let value?):
            let new = StoredSetting(id: old.id, version: old.version + 1, name: name, value: value, changed: now)
            try replace(old, with: new)
        }
    }

    /// Throws `versionConflict` where another version was expected.
    func check(_ expected: UInt64?, against current: UInt64) throws(VaultError) {
        guard expected == nil || expected == current else { throw .versionConflict(current: current) }
    }

    /// Seals a record into the row that the transaction's manifest will pin.
    private mutating func seal(_ record: some VaultRecord) throws(VaultError) -> SealedRow {
        let generation = (unlocked.manifest?.root.generation ?? 0) &+ 1
        let row = try SealedRow(record, sealing: generation, unlocked.keys, using: &records.store.entropy)
        let length = row.sealed.count - Sealing.overhead
        if length > records.store.limits.recordBytes {
            let limit = try limit(of: record)
            guard length <= limit else { throw .tooLarge(limit: limit) }
        }
        changes.entries[record.id] = row.entry
        return row
    }

    /// How long the plain text of a record may be. What sync stores has the history of a credential, or all that members have
    /// stated, and a merge joins what several machines have saved: it would fail for that each time. Of a credential that a merge
    /// has made longer than others may be, the limit bounds what a save adds: it can still be changed, used, deleted, imported
    /// over and returned.
    private func limit(of record: some VaultRecord) throws(VaultError) -> Int {
        let setting = record as? StoredSetting
        let isLongSetting = setting.map { VaultSync.settings.contains($0.name) || ImportJournal.isChunk($0.name) }
        if isMerging || isReturning || record is StoredSyncEntry || isLongSetting == true {
            return VaultLimits.syncEntryBytes
        }
        let limit = records.store.limits.recordBytes
        guard record is Credential else { return limit }
        let present = try statements.records.byID.first(key: record.id.stored) { row throws(VaultError) in
            row.bytes(3).count - Sealing.overhead
        }
        guard let present, present > limit else { return limit }
        return min(present + limit, VaultLimits.syncEntryBytes)
    }
}
