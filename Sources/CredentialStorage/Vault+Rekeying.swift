// SPDX-License-Identifier: Apache-2.0
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
        try syncReleases(at: now, uses: .max)
        let old = try unlocked
        guard let oldRoot = old.manifest?.root else { throw .damaged(part: "manifest root") }
        // What is not sound cannot be sealed anew, and must not be lost.
        let report = try check(progress)
        guard report.isSound else { throw .damaged(part: "vault") }
        let stale = Set(try slotRows().flatMap { backups(openedBy: $0) })
        let keys = VaultKeys(vaultKey: randomKey())
        let database = try database
        try database.write { statements throws(VaultError) in
            let resealed = try resealRecords(report.records, from: old.keys, to: keys, statements, progress)
            let rows = try replaceSlots(with: slots, from: oldRoot.nextSlot, keys: keys, statements, at: now)
            var root = oldRoot
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
        return stale.sorted()
    }

    private static let batch: Int64 = 500

    private func resealRecords(
        _ all: Int, from old: VaultKeys, to new: VaultKeys, _ statements: VaultStatements,
        _ progress: VaultProgress
    ) throws(VaultError) -> [ManifestEntry] {
        var entries: [ManifestEntry] = []
        entries.reserveCapacity(all)
        var position: [UInt8] = [0]
        let end = [UInt8](repeating: 0xFF, count: 17)
        while true {
            let rows = try statements.records.ofKind.all(
                .bytes(position), .bytes(end), .integer(Self.batch)
            ) { row throws(VaultError) in
                position = row.copy(0)
                return try reseal(row, from: old, to: new)
            }
            guard !rows.isEmpty else { return entries }
            for row in rows {
                try statements.records.update.run(
                    .bytes(row.entry.id.stored), .bytes(row.lookup), .integer(Int64(bitPattern: row.entry.version)),
                    .bytes(row.sealed))
                entries.append(row.entry)
            }
            try progress.advance(to: entries.count, of: all)
        }
    }

    private func reseal(
        _ row: borrowing SQLStatement.Row, from old: VaultKeys, to new: VaultKeys
    ) throws(VaultError) -> (entry: ManifestEntry, lookup: [UInt8], sealed: [UInt8]) {
        guard let id = ObjectID(stored: row.bytes(0)) else { throw .unnamedRecord }
        let version = UInt64(bitPattern: row.integer(2))
        let associated = AssociatedData.record(id, version: version, lookup: row.bytes(1))
        let resealed = try Sealing.open(row.bytes(3), key: old.records, associated: associated) {
            plain throws(VaultError) -> (ManifestEntry, [UInt8], [UInt8]) in
            guard let record = Self.parse(plain, id: id, version: version) else { throw .recordDamaged(id) }
            let lookup = record.blindIndex(key: new.index).bytes
            let associated = lookup.withUnsafeBytes { AssociatedData.record(id, version: version, lookup: $0) }
            let sealed = try Sealing.seal(plain, key: new.records, associated: associated, using: &entropy)
            let tag = sealed.withUnsafeBytes { Sealing.tag(of: $0) }
            return (ManifestEntry(id: id, version: version, changed: record.changed, tag: tag), lookup, sealed)
        }
        guard let resealed else { throw .recordDamaged(id) }
        return resealed
    }

    /// What can be opened of the quarantine is kept under the new key; what cannot was lost before.
    private func resealQuarantine(
        from old: VaultKeys, to new: VaultKeys, _ statements: VaultStatements
    ) throws(VaultError) {
        var rows: [(number: Int64, lookup: [UInt8], sealed: [UInt8])] = []
        try statements.quarantine.records.each([]) { row throws(VaultError) in
            guard let id = ObjectID(stored: row.bytes(1)) else { return true }
            let version = UInt64(bitPattern: row.integer(3))
            let associated = AssociatedData.record(id, version: version, lookup: row.bytes(2))
            let resealed = try Sealing.open(row.bytes(4), key: old.records, associated: associated) {
                plain throws(VaultError) -> (lookup: [UInt8], sealed: [UInt8])? in
                guard let record = Self.parse(plain, id: id, version: version) else { return nil }
                let lookup = record.blindIndex(key: new.index).bytes
                let associated = lookup.withUnsafeBytes { AssociatedData.record(id, version: version, lookup: $0) }
                return (lookup, try Sealing.seal(plain, key: new.records, associated: associated, using: &entropy))
            }
            if let resealed = resealed ?? nil { rows.append((row.integer(0), resealed.lookup, resealed.sealed)) }
            return true
        }
        for row in rows {
            try statements.quarantine.updateRecord.run(.integer(row.number), .bytes(row.lookup), .bytes(row.sealed))
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

    private func resealReleases(
        _ head: inout ReleaseHead, from old: VaultKeys, to new: VaultKeys, _ statements: VaultStatements
    ) throws(VaultError) {
        var entries: [(number: UInt64, release: Release)] = []
        var rows: [Int64] = []
        try statements.releases.oldest.each([.integer(.min)]) { row throws(VaultError) in
            rows.append(row.integer(0))
            for entry in ReleaseEntry.all(in: row.bytes(1)) {
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
