// SPDX-License-Identifier: Apache-2.0
package import Credentials
internal import SecretMemory
internal import VaultFormat

/// The slots of a vault: the secrets that open it, and the delays after wrong ones.
package final class VaultSlots {
    private let file: VaultFile
    private let store: RecordStore
    private let backups: VaultBackups
    var delays: SlotDelays

    init(_ store: RecordStore, _ backups: VaultBackups, openedAt: Timestamp?) {
        file = store.file
        self.store = store
        self.backups = backups
        delays = SlotDelays(openedAt: openedAt)
    }

    /// The slots; labels and times are withheld while the vault is locked.
    package func list() throws(VaultError) -> [Slot] {
        let keys = store.unlockedVault?.keys
        return try file.slotRows().map { row throws(VaultError) in try row.described(keys: keys) }
    }

    // MARK: - Changing

    package func add(_ slot: NewSlot, at now: Timestamp) throws(VaultError) -> Slot.ID {
        try store.write { transaction throws(VaultError) in
            _ = try transaction.pinnedSlots()
            let id = try transaction.unlocked.trustedManifest.root.nextSlot
            try transaction.put(slot, as: id, at: now)
            return id
        }
    }

    /// Removes a slot; never the last one. Where sync is on, this machine gets another id and the group another key.
    ///
    /// - Returns: the backups that the slot's secret still opens.
    package func remove(_ id: Slot.ID) throws(VaultError) -> FormerBackups {
        let (removed, isRenewed) = try store.write { transaction throws(VaultError) in
            let rows = try transaction.pinnedSlots()
            guard let removed = rows.first(where: { $0.id == id }) else { throw .noSuchSlot }
            guard rows.contains(where: { $0.id != id && $0.isIntact }) else { throw .lastSlot }
            try transaction.statements.slots.delete.run(.integer(id))
            try transaction.pinSlots()
            return (removed, try VaultSync.replaceKeys(&transaction))
        }
        if isRenewed { store.beginSync() }
        eraseFromLog(id)
        return backups.opened(byAnyOf: [removed])
    }

    /// Gives a slot another secret. No record is sealed again: the vault key stays. So a backup made before, and whoever copied the
    /// key, are not locked out; `Vault.rekey` does that.
    ///
    /// - Returns: the backups that the slot's old secret still opens.
    package func change(_ id: Slot.ID, to slot: NewSlot, at now: Timestamp) throws(VaultError) -> FormerBackups {
        let old = try store.write { transaction throws(VaultError) in
            guard let old = try transaction.pinnedSlots().first(where: { $0.id == id }) else { throw .noSuchSlot }
            try transaction.put(slot, as: id, at: now)
            return old
        }
        eraseFromLog(id)
        return backups.opened(byAnyOf: [old])
    }

    /// Removes a former slot from the write-ahead log, which still has what its secret opens. Where the log cannot be written back now,
    /// that happens at the lock.
    private func eraseFromLog(_ id: Slot.ID) {
        try? file.database?.emptyLog()
        delays.forget(id)
    }

    // MARK: - Attempts

    /// Prepares an attempt to open one slot, or all that this kind of secret may open. The caller runs the derivation on another
    /// thread; one at a time, as only the outcome counts as a failure.
    package func attempt(
        _ secret: VaultSecret, slot: Slot.ID? = nil, from origin: GuessOrigin = .request, at now: Timestamp
    ) throws(VaultError) -> UnlockAttempt {
        try secret.checkForm()
        if !file.isInUse, let database = file.database, database.isReplaced { try file.reopen() }
        let rows = try file.slotRows().filter { $0.kind == secret.kind.rawValue && (slot == nil || $0.id == slot) }
        guard !rows.isEmpty else { throw .noSuchSlot }
        let wait = rows.map { delays.wait(for: $0, from: origin, at: now) }.max() ?? 0
        guard wait <= 0 else { throw .tooSoon(retryAfterMilliseconds: Int(wait)) }
        return UnlockAttempt(secret: secret, slots: rows, origin: origin)
    }

    /// Proof: that the outcome opened a slot of this vault as it is now.
    package func verify(_ outcome: UnlockOutcome, at now: Timestamp) throws(VaultError) -> Slot.ID {
        _ = try store.unlocked
        return try verify(accept(outcome, at: now))
    }

    func verify(_ opened: OpenedSlot) throws(VaultError) -> Slot.ID {
        guard try store.unlocked.keys.vaultKey.equals(opened.vaultKey) else { throw .noSuchSlot }
        return opened.slot.id
    }

    /// The slot that was opened, if it is still the same; else counts the failure and throws.
    func accept(_ outcome: UnlockOutcome, at now: Timestamp) throws(VaultError) -> OpenedSlot {
        let rows = try file.slotRows()
        guard let opened = outcome.opened else { throw refuse(outcome, rows, at: now) }
        guard let row = rows.first(where: { $0.id == opened.slot.id }), row.wrapped == opened.slot.wrapped else {
            throw .noSuchSlot
        }
        // A disk that cannot be written to keeps the count of failures; their delay ends all the same.
        delays.end(row.id)
        if row.failureCount != 0 { try? setFailures(0, of: row.id) }
        return opened
    }

    private func refuse(_ outcome: UnlockOutcome, _ rows: [SlotRow], at now: Timestamp) -> VaultError {
        var delay: Int64 = 0
        for row in rows where outcome.tried.contains(row.id) {
            let failures = min(row.failureCount ?? 0, .max - 1) + 1
            delay = max(delay, delays.begin(row.id, from: outcome.origin, after: failures, at: now))
            // On a full or read-only disk the delay still holds while the daemon runs.
            try? setFailures(failures, of: row.id)
        }
        return outcome.fault ?? .wrongSecret(retryAfterMilliseconds: Int(delay))
    }

    private func setFailures(_ count: UInt8, of id: Slot.ID) throws(VaultError) {
        try file.openDatabase.write { statements throws(VaultError) in
            try statements.slots.putFailures.run(.integer(id), .bytes(SlotRow.failures(count, slot: id)))
        }
    }
}

extension RecordTransaction {
    /// Writes a slot and pins it.
    fileprivate mutating func put(_ slot: NewSlot, as id: Slot.ID, at now: Timestamp) throws(VaultError) {
        try statements.put(slot, as: id, keys: unlocked.keys, at: now, using: &records.store.entropy)
        try pinSlots()
    }

    /// The slots before a change of one. Throws where they are not those that the manifest pins: the change would pin what somebody
    /// has written there.
    fileprivate func pinnedSlots() throws(VaultError) -> [SlotRow] {
        let slots = try statements.slotRows()
        guard try SlotRow.digest(slots) == unlocked.trustedManifest.root.slots else { throw .damaged("vault") }
        return slots
    }

    /// Makes the manifest pin the slots as they are now.
    fileprivate mutating func pinSlots() throws(VaultError) {
        let slots = try statements.slotRows()
        let passes = slots.reduce(0) { $0 + Int($1.passphraseCost?.p ?? 0) }
        guard passes <= VaultLimits.passesAtOnce else { throw .unusableSecret(.tooManyPassphrases) }
        changes.slots = slots
    }
}

extension VaultStatements {
    /// Writes a slot, in a transaction of the caller's.
    func put(
        _ slot: NewSlot, as id: Slot.ID, keys: VaultKeys, at now: Timestamp,
        using entropy: inout any RandomNumberGenerator
    ) throws(VaultError) {
        var row = SlotRow(id: id, new: slot)
        try row.wrap(keys.vaultKey, with: slot.wrappingKey, using: &entropy)
        try row.setNote(label: slot.label, created: now, keys: keys, using: &entropy)
        try slots.put.run(row.values)
    }
}

extension SlotRow {
    /// A new one, without its wrapping and its note.
    init(id: Slot.ID, new slot: NewSlot) {
        self.init(id: id, kind: slot.kind, salt: slot.salt, cost: slot.cost)
    }
}
