// SPDX-License-Identifier: Apache-2.0
package import Credentials
internal import SecretMemory
internal import VaultFormat

extension Vault {
    /// Draws a new vault key and seals everything under it, behind these slots only: anyone that has the old key, by an old
    /// passphrase and an old backup, is locked out. The old slots end, since their secrets would have to be asked for.
    ///
    /// One transaction, after a note where sync is on: a kill or an error at any moment leaves the vault as it was, and it can be begun again. After it nothing is an
    /// error: a vault that cannot be unlocked then is locked. Takes about 20 µs a record.
    ///
    /// - Returns: the backups that secrets of the old slots still open.
    @discardableResult
    package func rekey(
        _ slots: [NewSlot], at now: Timestamp, _ progress: VaultProgress = VaultProgress()
    ) throws(VaultError) -> FormerBackups {
        guard !slots.isEmpty else { throw .unusableSecret(.noSlot) }
        try store.checkFormat(store.unlocked)
        try releases.sync(at: nil, uses: .max)
        let (old, database) = (try store.unlocked, try file.openDatabase)
        let stale = backups.opened(byAnyOf: try file.slotRows())
        let keys = VaultKeys(vaultKey: store.newVaultKey())
        try reseal(under: keys, slots, at: now, progress)
        self.slots.delays.forgetAll()
        adopt(keys, after: old, database)
        file.rest()
        return stale
    }

    /// The note, and the transaction. What follows has other keys in memory.
    func reseal(
        under keys: VaultKeys, _ slots: [NewSlot], at now: Timestamp, _ progress: VaultProgress = VaultProgress()
    ) throws(VaultError) {
        let old = try store.unlocked
        // What is damaged cannot be sealed again, and must not be lost.
        let report = try check(progress)
        guard report.isIntact else {
            throw report.findings.contains(where: \.isReadError)
                ? VaultError.unreadFile : .damaged("vault")
        }
        try VaultSync.note(nextKeys: keys, in: store, at: now)
        let former = try old.trustedManifest.root
        try file.openDatabase.write { statements throws(VaultError) in
            let reseal = Resealing(store: store, old: old.keys, new: keys, statements: statements, progress: progress)
            let records = try reseal.records(report.records)
            let rows = try replaceSlots(with: slots, from: former.nextSlot, keys: keys, statements, at: now)
            var root = former
            // The mark that is there opens with the old key only.
            root.isMarked = false
            root.generation &+= 1
            root.slots = SlotRow.digest(rows)
            root.nextSlot = former.nextSlot + Slot.ID(slots.count)
            try reseal.releases(&root.releases)
            try reseal.quarantine()
            _ = try Manifest.build(records, root: root, statements, key: keys.manifest, using: &store.entropy)
        }
    }

    /// Unlocks with other keys of the same file, all of whose content was sealed under them. Where that fails the vault is locked.
    private func adopt(_ keys: VaultKeys, after old: UnlockedVault, _ database: VaultDatabase) {
        // Its entries are in the database now, sealed again.
        old.releases.erase()
        store.unlockedVault = nil
        // Pages as they were sealed before are still in the log.
        try? database.emptyLog()
        // Sync gets another device id where the keys are others.
        _ = try? unlock(keys, with: old.releases.file)
    }

    private func replaceSlots(
        with slots: [NewSlot], from first: Slot.ID, keys: VaultKeys, _ statements: VaultStatements, at now: Timestamp
    ) throws(VaultError) -> [SlotRow] {
        for slot in try statements.slotRows() { try statements.slots.delete.run(.integer(slot.id)) }
        for (index, slot) in slots.enumerated() {
            try statements.put(slot, as: first + Slot.ID(index), keys: keys, at: now, using: &store.entropy)
        }
        return try statements.slotRows()
    }

    // MARK: - Formats

    /// Whether the vault is unlocked and waits for `migrate`.
    package var isOfOlderFormat: Bool { store.unlockedVault.map { $0.keys.format < .present } ?? false }

    /// Brings an unlocked vault to the present format: backs it up, and then seals everything again in one transaction. A kill or an
    /// error at any moment leaves the vault as it was, and it can be begun again. Until it is done the vault can be read, and changes
    /// are refused with the cause of the last failure. After the commit nothing is an error: a vault that cannot be unlocked then is
    /// locked. Takes about 50 µs a record.
    ///
    /// - Returns: nil where the vault is of the present format. Throws `damaged` where it is corrupt: a `repair` comes first.
    package func migrate(
        at now: Timestamp, _ progress: VaultProgress = VaultProgress()
    ) throws(VaultError) -> MigrationReport? {
        guard isOfOlderFormat else { return nil }
        do throws(VaultError) {
            let report = try attemptToMigrate(at: now, progress)
            store.migrationFailure = nil
            return report
        } catch {
            store.migrationFailure = error == .cancelled ? nil : error
            throw error
        }
    }

    private func attemptToMigrate(
        at now: Timestamp, _ progress: VaultProgress
    ) throws(VaultError) -> MigrationReport {
        // So that the backup has all of the release log, too.
        try releases.sync(at: nil, uses: .max)
        let old = try store.unlocked
        let root = try old.trustedManifest.root
        let report = try check(progress)
        guard report.isIntact else { throw .damaged("vault") }
        let database = try file.openDatabase
        var backup = ""
        if let home = database.directory {
            try VaultDirectory.make(home.backups)
            // The vault is intact, and has all that is in the backup of an attempt that failed.
            for failed in home.backupsBeforeMigration { try? VaultDirectory.removeDatabase(failed) }
            backup = try copy(to: home.freshBackupBeforeMigration, progress).path
        }
        let keys = VaultKeys(vaultKey: old.keys.vaultKey)
        try store.migrate(database, root, from: old.keys, to: keys, of: report.records, progress)
        if !backup.isEmpty { backup = VaultDirectory.keep(backupBeforeMigration: backup) }
        adopt(keys, after: old, database)
        if store.unlockedVault != nil, !backup.isEmpty { try? backups.note(backup, at: now) }
        file.rest()
        return MigrationReport(
            formerFormat: old.keys.format.rawValue, format: keys.format.rawValue, records: report.records,
            backup: backup)
    }
}

/// The result of a migration to the present format.
package struct MigrationReport: Sendable {
    /// The number of the former format, and of the present one.
    package let formerFormat: UInt8
    package let format: UInt8
    package let records: Int
    /// The path of the backup of the vault as it was.
    package let backup: String
}

extension RecordStore {
    /// Seals everything again in one transaction, for an intact vault with this root. The slots stay: they wrap the same key.
    func migrate(
        _ database: VaultDatabase, _ former: ManifestRoot, from old: VaultKeys, to new: VaultKeys, of count: Int,
        _ progress: VaultProgress
    ) throws(VaultError) {
        do throws(VaultError) {
            try database.write { statements throws(VaultError) in
                try database.access { connection throws(VaultError) in
                    try VaultSchema.migrate(from: old.format, on: connection)
                    statements.prepareLookups(on: connection)
                }
                let reseal = Resealing(store: self, old: old, new: new, statements: statements, progress: progress)
                var root = former
                root.format = new.format
                root.generation &+= 1
                let records = try reseal.records(count, as: root.generation)
                try reseal.quarantine()
                root.slots = SlotRow.digest(try reseal.slotNotes())
                try reseal.releases(&root.releases)
                _ = try Manifest.build(records, root: root, statements, key: new.manifest, using: &entropy)
            }
        } catch {
            try? database.statements.forgetLookups()
            throw error
        }
        database.format = new.format
    }
}
