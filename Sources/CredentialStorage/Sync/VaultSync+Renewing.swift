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
        let store = transaction.records.store
        guard try store.file.openDatabase.hasSync, let stored = try? VaultSync(storedIn: transaction.records) else {
            return
        }
        let sync: VaultSync
        let now = Timestamp(milliseconds: 0)
        do throws(KeyFailure) { sync = try stored.renewed(using: &store.entropy) } catch {
            throw .damaged(part: "keys of sync")
        }
        // Files that were not copied out are the former id's; the new id's snapshot has their content.
        let scope = StoredSyncEntry.scope(of: .file, key: transaction.records.key)
        for file in try transaction.records.fetchAll(in: scope, as: StoredSyncEntry.self) {
            try transaction.remove(file)
        }
        try transaction.setSetting(VaultSync.membersSetting, to: sync.storedMembers, at: now)
        try transaction.setSetting(VaultSync.progressSetting, to: sync.progress.stored, at: now)
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

    /// The same machine under a new id, which the former one admits and which draws a key; the former one's keys still open what was
    /// sealed to it.
    func renewed(using entropy: inout any RandomNumberGenerator) throws(KeyFailure) -> VaultSync {
        let new = try KeyPairs.random(using: &entropy)
        var members = members
        members.insert([
            try SignedStatement.admission(
                of: new.publicKeys, to: members.group, by: keys, sequence: progress.next)
        ])
        if let epoch = try members.newEpoch(by: new, sequence: 1, using: &entropy) { members.insert([epoch.statement]) }
        var sync = VaultSync(keys: new, members: members, deviceName: deviceName)
        sync.formerKeys = formerKeys + [keys]
        (sync.progress.mustCompare, sync.progress.isRestored) = (true, true)
        sync.mustCompare = true
        return sync
    }
}
