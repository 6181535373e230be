// SPDX-License-Identifier: Apache-2.0
internal import CSQLite
package import Credentials
internal import SecretMemory

extension Vault {
    /// Draws a new vault key and seals everything anew under it, behind these slots only: whoever knows the old key, by an
    /// old passphrase and an old backup, is shut out. The old slots end, since their secrets would have to be asked for.
    ///
    /// One transaction: a kill or an error at any moment leaves the vault as it was, and it can be begun again. After it
    /// nothing is an error: a vault that cannot be unlocked then is locked. Takes about 20 µs a record.
    ///
    /// - Returns: the paths of the backups that secrets of the old slots still open.
    @discardableResult
    package func rekey(
        _ slots: [NewSlot], at now: Timestamp, _ progress: VaultProgress = VaultProgress()
    ) throws(VaultError) -> [String] {
        guard !slots.isEmpty else { throw .unusableSecret(.noSlot) }
        try checkFormat(unlocked)
        try syncReleases(at: nil, uses: .max)
        let old = try unlocked
        let oldRoot = try old.trustedManifest.root
        // What is not sound cannot be sealed anew, and must not be lost.
        let report = try check(progress)
        guard report.isSound else {
            throw report.findings.contains(where: \.isReadError)
                ? .failed(code: af_sqlite_corrupt_file_system) : .damaged(part: "vault")
        }
        let stale = backups(openedByAnyOf: try slotRows())
        let keys = VaultKeys(vaultKey: randomKey())
        let database = try database
        try database.write { statements throws(VaultError) in
            let resealed = try resealRecords(report.records, from: old.keys, to: keys, statements, progress)
            let rows = try replaceSlots(with: slots, from: oldRoot.nextSlot, keys: keys, statements, at: now)
            var root = oldRoot
            // The mark that is there opens with the old key only.
            root.isMarked = false
            root.generation &+= 1
            root.slots = SlotRow.digest(rows)
            root.nextSlot = oldRoot.nextSlot + Slot.ID(slots.count)
            try resealReleases(&root.releases, from: old.keys, to: keys, statements)
            try resealQuarantine(from: old.keys, to: keys, statements)
            _ = try Manifest.build(resealed, root: root, statements, key: keys.manifest, using: &entropy)
        }
        delays.forgetAll()
        // Entries that are in the database by now, under the old key.
        old.releases.erase()
        unlockedParts = nil
        // Pages sealed under the old key are still in the log.
        try? database.emptyLog()
        _ = try? unlock(keys, with: old.releases.file)
        rest()
        return stale
    }

    private static let batch: Int64 = 500

    /// Seals all records under other keys, and as this sealing of them where one is given.
    func resealRecords(
        _ all: Int, from old: VaultKeys, to new: VaultKeys, as sealing: UInt64? = nil, _ statements: VaultStatements,
        _ progress: VaultProgress
    ) throws(VaultError) -> [ManifestEntry] {
        var entries: [ManifestEntry] = []
        entries.reserveCapacity(all)
        try statements.lookups?.clear.run()
        var position: [UInt8] = [0]
        let end = [UInt8](repeating: 0xFF, count: 17)
        while true {
            let rows = try statements.records.ofKind.all(
                .bytes(position), .bytes(end), .integer(Self.batch)
            ) { row throws(VaultError) -> SealedRow in
                position = row.copy(0)
                guard let id = ObjectID(stored: row.bytes(0)) else { throw .unnamedRecord }
                let found = (id, row.bytes(1), UInt64(bitPattern: row.integer(2)), row.bytes(3))
                let resealed = try SealedRow(resealing: found, from: old, to: new, as: sealing, using: &entropy)
                guard let resealed else { throw .recordDamaged(id) }
                return resealed
            }
            guard !rows.isEmpty else { return entries }
            for row in rows {
                try statements.records.update.run(row.values)
                try row.lookups.insert(statements)
                entries.append(row.entry)
            }
            try progress.advance(to: entries.count, of: all)
        }
    }

    /// What can be opened of the quarantine is kept under the new keys; what cannot was lost before.
    func resealQuarantine(
        from old: VaultKeys, to new: VaultKeys, _ statements: VaultStatements
    ) throws(VaultError) {
        var rows: [(number: Int64, row: SealedRow)] = []
        try statements.quarantine.records.each([]) { row throws(VaultError) in
            guard let id = ObjectID(stored: row.bytes(1)) else { return true }
            let found = (id, row.bytes(2), UInt64(bitPattern: row.integer(3)), row.bytes(4))
            if let resealed = try SealedRow(resealing: found, from: old, to: new, using: &entropy) {
                rows.append((row.integer(0), resealed))
            }
            return true
        }
        for (number, row) in rows {
            try statements.quarantine.updateRecord.run(.integer(number), .bytes(row.lookup), .bytes(row.sealed))
        }
    }

    private func replaceSlots(
        with slots: [NewSlot], from first: Slot.ID, keys: VaultKeys, _ statements: VaultStatements, at now: Timestamp
    ) throws(VaultError) -> [SlotRow] {
        let former = try statements.slots.rows.all { row throws(VaultError) in row.integer(0) }
        for id in former { try statements.slots.delete.run(.integer(id)) }
        for (index, slot) in slots.enumerated() {
            try put(slot, as: first + Slot.ID(index), keys: keys, statements, at: now)
        }
        return try statements.slots.rows.all { row throws(VaultError) in SlotRow(row) }
    }

    /// Seals the whole record of releases under other keys, as a chain of its own.
    func resealReleases(
        _ head: inout ReleaseHead, from old: VaultKeys, to new: VaultKeys, _ statements: VaultStatements
    ) throws(VaultError) {
        var entries: [(number: UInt64, release: Release)] = []
        var rows: [Int64] = []
        try statements.releases.oldest.each([.integer(.min)]) { row throws(VaultError) in
            rows.append(row.integer(0))
            for entry in ReleaseEntry.all(in: row.bytes(1)) {
                if entry.gap(key: old.releases) != nil { continue }
                guard let opened = entry.open(key: old.releases) else { throw .damaged(part: "record of releases") }
                entries.append((entry.sequence, opened.release))
            }
            return true
        }
        for row in rows { try statements.releases.delete.run(.integer(row)) }
        let next = head.next
        try store(entries, &head, new.releases, statements)
        head.next = next
    }
}
