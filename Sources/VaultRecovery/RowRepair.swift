// SPDX-License-Identifier: Apache-2.0
internal import CSealing
internal import Credentials
internal import SecretMemory
internal import VaultFormat

/// Repairs rows of an open vault, in a transaction of the caller's.
struct RowRepair {
    let unlocked: UnlockedState
    let statements: VaultStatements

    // MARK: - Records

    /// Repairs the rows whose sealed bytes are intact and whose other columns are not: the blind index follows from the record, and the
    /// manifest has id and version under the tag of the sealed bytes.
    ///
    /// - Returns: whether any row was changed.
    func repairColumns() throws(VaultError) -> Bool {
        var damaged: [DamagedRow] = []
        try statements.records.numbered.each([]) { row throws(VaultError) in
            if try VaultInspection.entry(row, keys: unlocked.keys) == nil {
                damaged.append(
                    DamagedRow(
                        number: row.integer(4), id: ObjectID(stored: row.bytes(0)),
                        version: UInt64(bitPattern: row.integer(2)), sealed: row.copy(3)))
            }
            return true
        }
        guard !damaged.isEmpty else { return false }
        let expected = entriesByTag()
        var isChanged = false
        for row in damaged {
            guard let repaired = row.repaired(expected, unlocked.keys) else { continue }
            try statements.records.rename.run(
                .integer(row.number), .bytes(repaired.id.stored), .bytes(repaired.lookup),
                .integer(Int64(bitPattern: repaired.version)))
            isChanged = isChanged || statements.records.rename.changedRows > 0
        }
        return isChanged
    }

    private func entriesByTag() -> [SealTag: ManifestEntry] {
        let key = unlocked.keys.manifest
        var tree =
            unlocked.manifest ?? (try? Manifest(reading: statements, key: key))
            ?? Manifest(withoutRoot: statements, key: key)
        var found: [SealTag: ManifestEntry] = [:]
        for index in 0..<ManifestBucket.count {
            for entry in (try? tree.bucket(index, statements, key: key))?.entries ?? [] { found[entry.tag] = entry }
        }
        return found
    }

    /// Puts the records that findings are about into quarantine.
    ///
    /// - Returns: how many there are.
    func quarantine(_ findings: [VaultFinding]) throws(VaultError) -> Int {
        var done: Set<ObjectID> = []
        for finding in findings {
            if case .unpinned = finding { continue }
            guard let id = finding.id, done.insert(id).inserted else { continue }
            if case .missing = finding {
                try statements.quarantine.put.run(
                    .text("record"), .text(finding.code), .bytes(id.stored), .null, .integer(0), .null)
            } else {
                try statements.quarantine.putRecord.run(.bytes(id.stored), .text(finding.code))
                try statements.records.delete.run(.bytes(id.stored))
            }
        }
        return try done.count + quarantineUnnamed(findings)
    }

    /// Rows whose id is none: no finding can name them.
    private func quarantineUnnamed(_ findings: [VaultFinding]) throws(VaultError) -> Int {
        let finding = VaultFinding(.unnamedRecord)
        guard findings.contains(finding) else { return 0 }
        let unnamed = try statements.records.numbers.all { row throws(VaultError) in
            ObjectID(stored: row.bytes(1)) == nil ? row.integer(0) : nil
        }.compactMap { $0 }
        for number in unnamed {
            try statements.quarantine.putNumber.run(.integer(number), .text(finding.code))
            try statements.records.deleteNumber.run(.integer(number))
        }
        return unnamed.count
    }

    // MARK: - Slots

    /// Restores the slots to what they were when the vault was unlocked, where the manifest pinned them then. Else those stay that are
    /// intact and sealed by this vault; one of them may have been put back after its removal, which `slotsChanged` has reported.
    ///
    /// - Returns: the slots as they are now.
    func repairSlots() throws(VaultError) -> [SlotRow] {
        let pinned = unlocked.slots ?? []
        for slot in try statements.slotRows() {
            if let same = pinned.first(where: { $0.id == slot.id }), SlotRow.digest([same]) == SlotRow.digest([slot]) {
                continue
            }
            if unlocked.slots == nil, try slot.isOwn(unlocked.keys) { continue }
            try statements.quarantine.put.run(
                .text("slot"), .text("altered"), .null, .null, .integer(slot.id), .bytes(slot.inQuarantine))
            try statements.slots.delete.run(.integer(slot.id))
        }
        let kept = Set(try statements.slotRows().map(\.id))
        for slot in pinned where !kept.contains(slot.id) { try statements.slots.put.run(slot.values) }
        var slots = try statements.slotRows()
        for index in slots.indices where slots[index].failureCount == nil {
            slots[index].failures = SlotRow.failures(0, slot: slots[index].id)
            try statements.slots.put.run(slots[index].values)
        }
        return slots
    }
}

extension SlotRow {
    /// Whether it is intact, and was sealed by a holder of the keys.
    func isOwn(_ keys: VaultKeys) throws(VaultError) -> Bool {
        isIntact ? try described(keys: keys).label != nil : false
    }

    /// All columns but the id, as the quarantine keeps them.
    fileprivate var inQuarantine: [UInt8] {
        let bytes = BinaryWriter.encode { writer in
            writer.put(kind)
            for column in [salt, cost, wrapped, checksum, note, failures] { writer.put(column) }
        }
        return bytes.withUnsafeBytes { Array($0) }
    }
}

/// A row that does not open.
private struct DamagedRow {
    let number: Int64
    let id: ObjectID?
    let version: UInt64
    let sealed: [UInt8]

    /// Id, version and lookup when it was sealed; nil where the sealed bytes themselves have changed.
    func repaired(
        _ expected: [SealTag: ManifestEntry], _ keys: VaultKeys
    ) -> (id: ObjectID, version: UInt64, lookup: [UInt8])? {
        let tag = sealed.withUnsafeBytes { Sealing.tag(of: $0) }
        let names = [id.map { ($0, version) }, expected[tag].map { ($0.id, $0.version) }].compactMap(\.self)
        for (id, version) in names {
            guard let lookup = lookup(id, version, keys) else { continue }
            let associated = lookup.withUnsafeBytes { AssociatedData.record(id, version: version, lookup: $0) }
            let isOpened = try? Sealing.open(sealed, key: keys.records, associated: associated) { _ in true }
            if isOpened ?? nil != nil { return (id, version, lookup) }
        }
        return nil
    }

    /// The blind index of the record in the sealed bytes, if these have not changed.
    private func lookup(_ id: ObjectID, _ version: UInt64, _ keys: VaultKeys) -> [UInt8]? {
        guard sealed.count >= Sealing.overhead else { return nil }
        let plain = SecretBytes(count: sealed.count - Sealing.overhead) { plain in
            keys.records.withUnsafeBytes { key in
                _ = af_decipher(
                    key.assumingMemoryBound(to: UInt8.self).baseAddress, sealed, sealed.count,
                    plain.assumingMemoryBound(to: UInt8.self).baseAddress)
            }
        }
        return plain.withUnsafeBytes { plain in
            id.kind.recordType?.init(plain: plain, id: id, version: version)?.blindIndex(key: keys.index).bytes
        }
    }
}
