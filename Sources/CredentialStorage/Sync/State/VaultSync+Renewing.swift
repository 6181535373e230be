// SPDX-License-Identifier: Apache-2.0
internal import Credentials
internal import SyncFiles
internal import SyncMerge
internal import VaultFormat

extension VaultSync {
    /// Gives a vault in which sync was started, and which replaced another one or was repaired, a new device id: what it has may be
    /// older than what this machine has published, so no sequence of the former id is ever used again. All that others have is merged
    /// again. Does nothing in a vault without sync, or where what is stored of it cannot be read.
    static func renew(_ transaction: inout RecordTransaction) throws(VaultError) {
        guard let stored = try read(transaction) else { return }
        let isRekeyed = stored.progress.nextKeys == transaction.unlocked.keys.mark
        var sync = try stored.renewed(&transaction, removingFormer: isRekeyed)
        // Each change of a version was another generation, and this one exceeds those of a vault that was replaced.
        sync.progress.versionFloor = max(
            stored.progress.versionFloor, transaction.unlocked.manifest?.root.generation ?? 0)
        try sync.replaceFormer(&transaction)
    }

    /// Gives a vault whose slot was removed a new device id and the group a new key: whoever has that slot's secret and a copy of the
    /// vault opens no file of sync that is written from now on, and writes none that counts. Does nothing in a vault without sync, or
    /// on a machine that was removed.
    static func replaceKeys(_ transaction: inout RecordTransaction) throws(VaultError) {
        guard let stored = try read(transaction), stored.members.list.contains(stored.device) else { return }
        var sync = try stored.renewed(&transaction, removingFormer: true)
        // Nothing is older than it was.
        sync.progress.isRestored = stored.progress.isRestored
        try sync.replaceFormer(&transaction)
    }

    private static func read(_ transaction: RecordTransaction) throws(VaultError) -> VaultSync? {
        guard try transaction.records.store.file.openDatabase.hasSync else { return nil }
        return try? VaultSync(storedIn: transaction.records)
    }

    private func renewed(
        _ transaction: inout RecordTransaction, removingFormer: Bool
    ) throws(VaultError) -> VaultSync {
        do throws(KeyFailure) {
            return try renewed(removingFormer: removingFormer, using: &transaction.records.store.entropy)
        } catch {
            throw .damaged(part: "keys of sync")
        }
    }

    /// Stores it in place of the former id's, whose files that were not copied out are removed: the new id's snapshot has their content.
    private func replaceFormer(_ transaction: inout RecordTransaction) throws(VaultError) {
        let scope = StoredSyncEntry.scope(of: .file, key: transaction.records.key)
        for file in try transaction.records.fetchAll(in: scope, as: StoredSyncEntry.self) {
            try transaction.remove(file)
        }
        try store(&transaction, at: Timestamp(milliseconds: 0))
    }

    /// As it is stored; nil where it was not started.
    init?(storedIn records: RecordView) throws(VaultError) {
        func setting(_ name: String) throws(VaultError) -> StoredSetting? {
            try records.fetch(StoredSetting.blindIndex(name: name, key: records.key))
        }
        guard let members = try setting(Self.membersSetting), let progress = try setting(Self.progressSetting),
            var sync = VaultSync(storedMembers: members.value), let progress = SyncProgress(stored: progress.value)
        else { return nil }
        sync.progress = progress
        sync.mustCompare = progress.mustCompare
        self = sync
    }

    /// Notes that the vault gets these keys next.
    static func note(nextKeys keys: VaultKeys, in store: RecordStore, at now: Timestamp) throws(VaultError) {
        guard var sync = store.sync else { return }
        sync.progress.nextKeys = keys.mark
        let noted = sync
        try store.write { transaction throws(VaultError) in try noted.store(&transaction, at: now) }
        store.setSync(noted)
    }

    /// The same machine under a new id, which the former one admits and which draws a key; the former one's keys still open what was
    /// sealed to it.
    ///
    /// - Parameter removingFormer: whether the former id removes itself: whoever has its keys, in a copy of the vault, opens nothing
    ///   that is written from now on. All that it has stamped counts.
    func renewed(
        removingFormer: Bool = false, using entropy: inout any RandomNumberGenerator
    ) throws(KeyFailure) -> VaultSync {
        let new = try KeyPairs.random(using: &entropy)
        var members = members
        // Of a sequence that was published: a removal of the former id at its last file does not remove this machine.
        let sequence = max(progress.covered, 1)
        members.insert([
            try SignedStatement.admission(of: new.publicKeys, to: members.group, by: keys, sequence: sequence)
        ])
        if removingFormer {
            members.insert([
                try SignedStatement.removal(
                    of: device, last: progress.next, from: members.group, by: .device(keys), sequence: sequence)
            ])
        }
        if let epoch = try members.newEpoch(by: new, sequence: 1, using: &entropy) { members.insert([epoch.statement]) }
        var sync = VaultSync(keys: new, members: members, deviceName: deviceName)
        sync.formerKeys = formerKeys + [keys]
        (sync.progress.mustCompare, sync.progress.isRestored, sync.progress.bringsAgain) = (true, true, true)
        (sync.progress.met, sync.progress.versionFloor) = (progress.met, progress.versionFloor)
        sync.mustCompare = true
        return sync
    }
}

extension VaultKeys {
    /// Recognises them.
    fileprivate var mark: UInt64 { index.code(for: Array("keys of the vault".utf8)).high }
}
