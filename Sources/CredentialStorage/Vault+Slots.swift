// SPDX-License-Identifier: Apache-2.0
package import Credentials

extension Vault {
    /// The slots; labels and times are withheld while the vault is locked.
    package func slots() throws(VaultError) -> [Slot] {
        let keys = unlockedParts?.keys
        return try slotRows().map { row throws(VaultError) in try row.described(keys: keys) }
    }

    /// Adds a way to open the vault.
    package func addSlot(_ slot: NewSlot, at now: Timestamp) throws(VaultError) -> Slot.ID {
        try write { parts, statements, changes throws(VaultError) in
            let id = parts.manifest?.root.nextSlot ?? 1
            try put(slot, as: id, keys: parts.keys, statements, at: now)
            try noteSlots(statements, &changes)
            return id
        }
    }

    /// Takes a way to open the vault away; never the last one.
    ///
    /// - Returns: the paths of the backups that the slot's secret still opens.
    package func removeSlot(_ id: Slot.ID) throws(VaultError) -> [String] {
        let removed = try write { parts, statements, changes throws(VaultError) in
            let rows = try statements.slots.rows.all { row throws(VaultError) in SlotRow(row) }
            guard let removed = rows.first(where: { $0.id == id }) else { throw .noSuchSlot }
            guard rows.contains(where: { $0.id != id && $0.isSound }) else { throw .lastSlot }
            try statements.slots.delete.run(.integer(id))
            try noteSlots(statements, &changes)
            return removed
        }
        forget(id)
        return backups(openedByAnyOf: [removed])
    }

    /// Gives a slot another secret. No record is rewritten: the vault key stays, which is why a backup made before, and
    /// whoever copied the key, are not shut out; `rekey` does that.
    ///
    /// - Returns: the paths of the backups that the slot's old secret still opens.
    package func changeSlot(_ id: Slot.ID, to slot: NewSlot, at now: Timestamp) throws(VaultError) -> [String] {
        let old = try write { parts, statements, changes throws(VaultError) in
            let old = try statements.slots.byID.first(.integer(id)) { row throws(VaultError) in SlotRow(row) }
            guard let old else { throw .noSuchSlot }
            try put(slot, as: id, keys: parts.keys, statements, at: now)
            try noteSlots(statements, &changes)
            return old
        }
        forget(id)
        return backups(openedByAnyOf: [old])
    }

    // MARK: - Rows

    func slotRows() throws(VaultError) -> [SlotRow] {
        if let resting = hold.resting, let slots = resting.slots, resting.isUntouched { return slots }
        return try whileOpen { database throws(VaultError) in
            try database.read { statements throws(VaultError) in
                try statements.slots.rows.all { row throws(VaultError) in SlotRow(row) }
            }
        }
    }

    /// Has the log forget a slot that is gone: what its secret opens is still in there. Where it cannot be written back now,
    /// that waits for the lock.
    private func forget(_ id: Slot.ID) {
        try? hold.database?.emptyLog()
        delays.forget(id)
    }

    /// Writes a row, in a transaction of the caller's.
    func put(
        _ slot: NewSlot, as id: Slot.ID, keys: VaultKeys, _ statements: VaultStatements, at now: Timestamp
    ) throws(VaultError) {
        var row = SlotRow(id: id, new: slot)
        try row.wrap(keys.vaultKey, with: slot.wrappingKey, using: &entropy)
        try row.setNote(label: slot.label, created: now, keys: keys, using: &entropy)
        try statements.slots.put.run(row.values)
    }

    /// Has the manifest pin the slots as they are now.
    func noteSlots(_ statements: VaultStatements, _ changes: inout VaultChanges) throws(VaultError) {
        let slots = try statements.slots.rows.all { row throws(VaultError) in SlotRow(row) }
        let passes = slots.reduce(0) { $0 + Int($1.passphraseCost?.p ?? 0) }
        guard passes <= VaultLimits.passesAtOnce else { throw .unusableSecret(.tooManyPassphrases) }
        changes.slots = slots
    }
}
