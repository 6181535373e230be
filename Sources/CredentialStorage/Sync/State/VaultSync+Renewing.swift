// SPDX-License-Identifier: Apache-2.0
internal import Credentials
internal import SyncFiles
internal import SyncMerge
internal import VaultFormat

extension VaultSync {
    /// Gives a vault in which sync was started, and which replaced another one or was repaired, a new device id: what it has may be
    /// older than what this machine has published, so no sequence of the former id is ever used again. All that others have is merged
    /// again. On a machine that was removed it keeps its id, which lets no other in. Does nothing in a vault without sync, or where
    /// what is stored of it cannot be read.
    static func renew(_ transaction: inout RecordTransaction) throws(VaultError) {
        guard let stored = try read(transaction.records) else { return }
        // Each change of a version was another generation, and this one exceeds those of a vault that was replaced.
        let floor = max(stored.progress.versionFloor, transaction.unlocked.manifest?.root.generation ?? 0)
        guard stored.members.list.contains(stored.device) else {
            return try stored.staysRemoved(&transaction, versionFloor: floor)
        }
        let isRekeyed = stored.progress.nextKeys == transaction.unlocked.keys.mark
        var sync = try stored.renewed(&transaction, removingFormer: isRekeyed)
        sync.progress.versionFloor = floor
        // Where keys were changed nothing is older than it was.
        if isRekeyed { sync.progress.isRestored = stored.progress.isRestored }
        try sync.replaceFormer(&transaction)
    }

    /// There is nothing to decide; where its removal is revoked all is merged again, and the files that the folder has of it.
    private func staysRemoved(
        _ transaction: inout RecordTransaction, versionFloor: UInt64
    ) throws(VaultError) {
        var sync = self
        sync.progress.versionFloor = versionFloor
        sync.progress.mustCompare = true
        sync.progress.mergeAllAgain()
        try sync.store(&transaction, at: Timestamp(milliseconds: 0))
    }

    /// Gives a vault whose slot was removed a new device id and the group a new key: whoever has that slot's secret and a copy of the
    /// vault is given no key from now on, and no file of theirs is taken. Does nothing in a vault without sync, or on a machine that was
    /// removed.
    ///
    /// - Returns: whether it has done so now.
    static func replaceKeys(_ transaction: inout RecordTransaction) throws(VaultError) -> Bool {
        guard var stored = try read(transaction.records), stored.members.list.contains(stored.device) else {
            return false
        }
        let isFile = try transaction.records.store.file.openDatabase.directory != nil
        if isFile, transaction.unlocked.manifest?.root.isMarked == false {
            // The next unlock gives it another id, and knows then that the former one ends.
            stored.expect(transaction.unlocked.keys, replacing: transaction.unlocked)
            try stored.store(&transaction, at: Timestamp(milliseconds: 0))
            return false
        }
        var sync = try stored.renewed(&transaction, removingFormer: true)
        // Nothing is older than it was.
        sync.progress.isRestored = stored.progress.isRestored
        try sync.replaceFormer(&transaction)
        return true
    }

    /// Notes that the vault has, or gets, these keys. One that replaced another, or was repaired, and has no new id since waits for the
    /// user's decision under the next one, too.
    private mutating func expect(_ keys: VaultKeys, replacing unlocked: UnlockedVault) {
        let isRekeyed = progress.nextKeys == unlocked.keys.mark
        if unlocked.manifest?.root.isMarked == false, !isRekeyed {
            progress.isRestored = true
            progress.mergeAllAgain()
        }
        progress.nextKeys = keys.mark
    }

    /// Throws where it cannot be read for another cause than that sync was not started, or is not intact.
    private static func read(_ records: RecordView) throws(VaultError) -> VaultSync? {
        guard try records.store.file.openDatabase.hasSync else { return nil }
        do throws(VaultError) { return try VaultSync(storedIn: records) } catch {
            guard case .damaged = error else { throw error }
            return nil
        }
    }

    private func renewed(
        _ transaction: inout RecordTransaction, removingFormer: Bool
    ) throws(VaultError) -> VaultSync {
        do throws(KeyFailure) {
            return try renewed(removingFormer: removingFormer, using: &transaction.records.store.entropy)
        } catch {
            throw .damaged("keys of sync")
        }
    }

    /// Stores it in place of the former id's, whose files that were not copied out are removed: the new id's snapshot has their content.
    func replaceFormer(
        _ transaction: inout RecordTransaction, at now: Timestamp = Timestamp(milliseconds: 0)
    ) throws(VaultError) {
        let scope = StoredSyncEntry.scope(of: .file, key: transaction.records.key)
        for file in try transaction.records.fetchAll(in: scope, as: StoredSyncEntry.self) {
            try transaction.remove(file)
        }
        try store(&transaction, at: now)
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
        let stored =
            try store.sync == nil ? store.read { records throws(VaultError) in try read(records) } : store.sync
        guard var sync = stored else { return }
        if try store.file.openDatabase.directory == nil {
            sync.progress.nextKeys = keys.mark
        } else {
            sync.expect(keys, replacing: try store.unlocked)
        }
        let noted = sync
        try store.write { transaction throws(VaultError) in try noted.store(&transaction, at: now) }
        if store.sync != nil { store.setSync(noted) }
    }

    /// The same machine under a new id, which the former one admits and which draws a key; the former one's keys still open what was
    /// sealed to it.
    ///
    /// - Parameter removingFormer: whether all former ids that are members remove themselves: whoever has their keys, in a copy of the
    ///   vault, is given no key from now on. All that was merged of their files counts.
    func renewed(
        removingFormer: Bool = false, using entropy: inout any RandomNumberGenerator
    ) throws(KeyFailure) -> VaultSync {
        let new = try KeyPairs.random(using: &entropy)
        var members = members
        // As one of the first file's: a removal of the former id, whatever file it names as the last, does not remove this machine, and
        // those that the former id let in stay junior to it.
        members.insert([try SignedStatement.admission(of: new.publicKeys, to: members.group, by: keys, sequence: 1)])
        if removingFormer {
            for former in formerKeys + [keys] where members.list.contains(former.publicKeys.device) {
                members.insert([try former.removal(from: members.group)])
            }
        }
        if let epoch = try members.newEpoch(by: new, sequence: 1, using: &entropy) { members.insert([epoch.statement]) }
        var sync = VaultSync(keys: new, members: members, deviceName: deviceName)
        sync.formerKeys = formerKeys + [keys]
        (sync.progress.mustCompare, sync.progress.isRestored) = (true, true)
        (sync.progress.met, sync.progress.versionFloor) = (progress.met, progress.versionFloor)
        if removingFormer {
            // Nothing is older than it was: what was merged still is, and this vault has all that the former id has written.
            (sync.progress.merged, sync.progress.expected) = (progress.merged, progress.expected)
            sync.progress.merged.note(FileSummary(snapshot: progress.next, of: device, vector: progress.merged.vector))
            sync.progress.bringsAgain = progress.bringsAgain
        } else {
            sync.progress.bringsAgain = true
        }
        sync.mustCompare = true
        return sync
    }

    /// Ends sync on a machine whose vault is a copy from before a change of keys: others state that one of its ids has removed itself,
    /// which this vault takes for a member. The machine that did goes on under another id. An id that has ended here states nothing
    /// more, whoever has its keys.
    mutating func endIfReplaced(since former: VaultSync) throws(KeyFailure) {
        let own = Set((formerKeys + [keys]).map(\.publicKeys.device))
        let isReplaced = members.statements.dropFirst(former.members.statements.count).contains { statement in
            guard case .removal(let device, _) = statement.content else { return false }
            return own.contains(device) && statement.signer == .device(device) && former.members.list.contains(device)
        }
        guard isReplaced, members.list.contains(device) else { return }
        members.insert([try keys.removal(from: members.group)])
    }
}

extension KeyPairs {
    /// The removal of a machine by itself: all of its files that were merged count.
    fileprivate func removal(from group: GroupID) throws(KeyFailure) -> SignedStatement {
        try .removal(
            of: publicKeys.device, last: SyncFileLimits.sequences.upperBound, from: group, by: .device(self),
            sequence: 1)
    }
}

extension VaultKeys {
    /// Recognises them.
    fileprivate var mark: UInt64 { index.code(for: Array("keys of the vault".utf8)).high }
}
