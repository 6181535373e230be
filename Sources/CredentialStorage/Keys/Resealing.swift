// SPDX-License-Identifier: Apache-2.0
internal import Credentials
internal import VaultFormat

/// Seals everything in a vault under other keys, in a transaction of the caller's.
struct Resealing {
    let store: RecordStore
    let old: VaultKeys
    let new: VaultKeys
    let statements: VaultStatements
    let progress: VaultProgress

    private static let batch: Int64 = 500

    /// Seals all records, `count` of them; with this number of the sealing where one is given.
    func records(_ count: Int, as sealing: UInt64? = nil) throws(VaultError) -> [ManifestEntry] {
        var entries: [ManifestEntry] = []
        entries.reserveCapacity(count)
        try statements.lookups?.clear.run()
        var position: [UInt8] = [0]
        let end = [UInt8](repeating: 0xFF, count: 17)
        while true {
            let rows = try statements.records.ofKind.all(
                .bytes(position), .bytes(end), .integer(Self.batch)
            ) { row throws(VaultError) -> SealedRow in
                position = row.copy(0)
                guard let found = RecordRow(row) else { throw .unnamedRecord }
                guard let resealed = try reseal(found, as: sealing) else { throw .recordDamaged(found.id) }
                return resealed
            }
            guard !rows.isEmpty else { return entries }
            for row in rows {
                try statements.records.update.run(row.values)
                try row.lookups.insert(statements)
                entries.append(row.entry)
            }
            try progress.advance(to: entries.count, of: count)
        }
    }

    /// Seals the records in quarantine that open. The others were lost before.
    func quarantine() throws(VaultError) {
        var rows: [(number: Int64, row: SealedRow)] = []
        try statements.quarantine.records.each([]) { row throws(VaultError) in
            if let found = RecordRow(row, from: 1), let resealed = try reseal(found) {
                rows.append((row.integer(0), resealed))
            }
            return true
        }
        for (number, row) in rows {
            try statements.quarantine.updateRecord.run(.integer(number), .bytes(row.lookup), .bytes(row.sealed))
        }
    }

    /// Seals the notes of the slots.
    ///
    /// - Returns: the slots as they are now.
    func slotNotes() throws(VaultError) -> [SlotRow] {
        var slots = try statements.slotRows()
        for index in slots.indices {
            let slot = try slots[index].described(keys: old)
            guard let label = slot.label, let created = slot.created else { throw .slotDamaged(slot.id) }
            try slots[index].setNote(label: label, created: created, keys: new, using: &store.entropy)
            try statements.slots.put.run(slots[index].values)
        }
        return slots
    }

    /// Seals the whole release log, as a new chain.
    func releases(_ head: inout ReleaseHead) throws(VaultError) {
        var entries: [NumberedContent] = []
        var rows: [Int64] = []
        try statements.releases.oldest.each([.integer(.min)]) { row throws(VaultError) in
            rows.append(row.integer(0))
            for entry in ReleaseEntry.all(in: row.bytes(1)) {
                guard let content = entry.content(key: old.releases) else { throw .damaged("record of releases") }
                entries.append(NumberedContent(number: entry.sequence, content: content))
            }
            return true
        }
        for row in rows { try statements.releases.delete.run(.integer(row)) }
        let (first, next) = (head.first, head.next)
        try head.writeChain(of: entries, key: new.releases, statements, using: &store.entropy)
        (head.first, head.next) = (first, next)
    }

    /// nil where the row does not open.
    private func reseal(_ row: RecordRow, as sealing: UInt64? = nil) throws(VaultError) -> SealedRow? {
        guard let (record, number) = try row.open(old) else { return nil }
        return try SealedRow(record, sealing: sealing ?? number, new, using: &store.entropy)
    }
}
