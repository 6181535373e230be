// SPDX-License-Identifier: Apache-2.0
package import Credentials
internal import SecretMemory

/// What bringing a vault to the present format came to.
package struct MigrationReport: Sendable {
    /// The format that it had.
    package let format: VaultFormat
    package let records: Int
    /// The backup of the vault as it was.
    package let backup: String
}

/// A vault of an older format is opened as it is, and can be read. It is changed when it was brought to the present format,
/// which takes the keys: all records are sealed anew.
extension Vault {
    /// Whether the vault is unlocked and waits for `migrate`.
    package var isOfOlderFormat: Bool { unlockedParts.map { $0.keys.format < .present } ?? false }

    /// Brings an unlocked vault to the present format: backs it up first, and then seals everything anew in one transaction. A
    /// kill or an error at any moment leaves the vault as it was, and it can be begun again; until it is done changes are
    /// refused with what kept it from being done. After the commit nothing is an error: a vault that cannot be unlocked then
    /// is locked. Takes about 50 µs a record.
    ///
    /// - Returns: nil where the vault is of the present format. Throws `damaged` where it is not sound: a `repair` comes first.
    package func migrate(
        at now: Timestamp, _ progress: VaultProgress = VaultProgress()
    ) throws(VaultError) -> MigrationReport? {
        guard isOfOlderFormat else { return nil }
        do throws(VaultError) {
            let report = try attemptToMigrate(at: now, progress)
            hold.heldBack = nil
            return report
        } catch {
            hold.heldBack = error == .cancelled ? nil : error
            throw error
        }
    }

    /// That changes are possible, else why not.
    func checkFormat(_ parts: UnlockedVault) throws(VaultError) {
        guard parts.keys.format < .present else { return }
        throw hold.heldBack ?? .rekeying
    }

    private func attemptToMigrate(
        at now: Timestamp, _ progress: VaultProgress
    ) throws(VaultError) -> MigrationReport {
        // So the backup has all of the record of releases, too.
        try syncReleases(at: nil, uses: .max)
        let old = try unlocked
        let root = try old.trustedManifest.root
        let report = try check(progress)
        guard report.isSound else { throw .damaged(part: "vault") }
        let database = try database
        var backup = ""
        if let home = database.directory {
            try VaultDirectory.make(home.backups)
            backup = try copy(to: VaultDirectory.freshName(in: home.backups), progress).path
        }
        let keys = VaultKeys(vaultKey: old.keys.vaultKey)
        try migrate(database, root, from: old.keys, to: keys, of: report.records, progress)
        // Entries that are in the database by now, sealed as they were.
        old.releases.erase()
        unlockedParts = nil
        // Pages as they were sealed before are still in the log.
        try? database.emptyLog()
        _ = try? unlock(keys, with: old.releases.file)
        if unlockedParts != nil, !backup.isEmpty { try? note(backup: backup, at: now) }
        rest()
        return MigrationReport(format: old.keys.format, records: report.records, backup: backup)
    }

    /// Seals everything anew in one transaction, for a sound vault with this root. The slots stay: what is wrapped in them is
    /// the same key.
    func migrate(
        _ database: VaultDatabase, _ former: ManifestRoot, from old: VaultKeys, to new: VaultKeys, of all: Int,
        _ progress: VaultProgress
    ) throws(VaultError) {
        try database.write { statements throws(VaultError) in
            try database.access { connection throws(VaultError) in
                try VaultSchema.migrate(from: old.format, on: connection)
                statements.prepareLookups(on: connection)
            }
            var root = former
            root.format = new.format
            root.generation &+= 1
            let records = try resealRecords(
                all, from: old, to: new, as: root.generation, statements, progress)
            try resealQuarantine(from: old, to: new, statements)
            root.slots = SlotRow.digest(try resealNotes(from: old, to: new, statements))
            try resealReleases(&root.releases, from: old, to: new, statements)
            _ = try Manifest.build(records, root: root, statements, key: new.manifest, using: &entropy)
        }
        database.format = new.format
    }

    /// Seals the notes of the slots anew.
    ///
    /// - Returns: the slots as they are now.
    private func resealNotes(
        from old: VaultKeys, to new: VaultKeys, _ statements: VaultStatements
    ) throws(VaultError) -> [SlotRow] {
        var slots = try statements.slots.rows.all { row throws(VaultError) in SlotRow(row) }
        for index in slots.indices {
            let told = try slots[index].described(keys: old)
            guard let label = told.label, let created = told.created else { throw .slotDamaged(told.id) }
            try slots[index].setNote(label: label, created: created, keys: new, using: &entropy)
            try statements.slots.put.run(slots[index].values)
        }
        return slots
    }
}
