// SPDX-License-Identifier: Apache-2.0
internal import Credentials
internal import SecretMemory

/// What a repair does about slots.
extension Vault {
    /// That a slot is left to open the vault with afterwards: nothing else could be put in its place.
    func checkSlots(_ parts: UnlockedVault) throws(VaultError) {
        guard parts.slots == nil else { return }
        let slots = (try? slotRows()) ?? []
        for slot in slots where try isOurs(slot, parts.keys) { return }
        throw .damaged(part: "every slot")
    }

    /// Whether a slot is sound, and was made by whoever has the keys.
    private func isOurs(_ slot: SlotRow, _ keys: VaultKeys) throws(VaultError) -> Bool {
        slot.isSound ? try slot.described(keys: keys).label != nil : false
    }

    /// Makes the slots what they were when the vault was opened, where they were as the manifest pins them then. Else those
    /// stay that are sound and ours; one of them may have been put back after its removal, which `slotsChanged` has told.
    ///
    /// - Returns: the slots as they are now.
    func mendSlots(_ parts: UnlockedVault, _ statements: VaultStatements) throws(VaultError) -> [SlotRow] {
        let known = parts.slots ?? []
        let found = try statements.slots.rows.all { row throws(VaultError) in SlotRow(row) }
        for slot in found {
            if let same = known.first(where: { $0.id == slot.id }), SlotRow.digest([same]) == SlotRow.digest([slot]) {
                continue
            }
            if parts.slots == nil, try isOurs(slot, parts.keys) { continue }
            try statements.quarantine.put.run(
                .text("slot"), .text("altered"), .null, .null, .integer(slot.id), .bytes(slot.inQuarantine))
            try statements.slots.delete.run(.integer(slot.id))
        }
        let kept = Set(try statements.slots.rows.all { row throws(VaultError) in row.integer(0) })
        for slot in known where !kept.contains(slot.id) {
            try statements.slots.put.run(slot.values)
        }
        var slots = try statements.slots.rows.all { row throws(VaultError) in SlotRow(row) }
        for index in slots.indices where slots[index].failureCount == nil {
            slots[index].failures = SlotRow.failures(0, slot: slots[index].id)
            try statements.slots.put.run(slots[index].values)
        }
        return slots
    }
}

extension SlotRow {
    /// All columns but the id, as the quarantine keeps them.
    fileprivate var inQuarantine: [UInt8] {
        let bytes = BinaryWriter.encode { writer in
            writer.put(kind)
            for column in [salt, cost, wrapped, checksum, note, failures] { writer.put(column) }
        }
        return bytes.withUnsafeBytes { Array($0) }
    }
}
