// SPDX-License-Identifier: Apache-2.0
package import Credentials
internal import SecretMemory
package import SyncFiles
package import SyncMerge
internal import VaultFormat

/// Sync in an unlocked vault: what changed is sealed into files, and what others' files have is merged.
package struct StoredSync {
    let store: RecordStore

    init(_ store: RecordStore) { self.store = store }

    /// Whether it was started in this vault.
    package var isStarted: Bool { store.sync != nil }

    /// Who belongs to the group; nil where sync was not started.
    package var members: MemberRegister? { store.sync?.members }

    /// This machine; nil where sync was not started.
    package var device: DeviceID? { store.sync?.device }

    /// What this machine has merged of each other one, and, of itself, what it has written.
    package var vector: VersionVector {
        store.sync.map { $0.progress.merged.vector(of: $0.device, at: $0.progress.covered) } ?? VersionVector()
    }

    /// Starts sync in one transaction: takes over all credentials, so that two copies of one vault agree, and stores the keys. The
    /// file is refused by programs of before sync from then on. A snapshot has to be written next.
    package func start(
        _ keys: KeyPairs, _ members: MemberRegister, deviceName: String, at now: Timestamp
    ) throws(SyncFailure) {
        guard store.sync == nil else { throw .started }
        let sync = VaultSync(keys: keys, members: members, deviceName: deviceName)
        try vault { () throws(VaultError) in
            try store.write { transaction throws(VaultError) in
                transaction.isBulk = true
                try store.file.openDatabase.beginSync()
                var adopting = SyncTransaction(transaction, sync)
                try adopting.forgetAll()
                for id in try SyncReader(records: transaction.records).credentialIDs() {
                    try adopting.adopt(id, at: now)
                }
                transaction = adopting.transaction
                try transaction.setSetting(VaultSync.membersSetting, to: sync.storedMembers, at: now)
                try transaction.setSetting(VaultSync.progressSetting, to: sync.progress.stored, at: now)
            }
        }
        store.sync = sync
    }

    /// Stores statements that this machine made or received by another way than a file.
    package func accept(_ statements: [SignedStatement], at now: Timestamp) throws(SyncFailure) {
        guard var sync = store.sync else { throw .notStarted }
        sync.members.insert(statements)
        try save(sync, at: now)
    }

    /// Which sequence the next statement of this machine has.
    package var nextSequence: UInt64? { store.sync?.progress.next }

    /// What is needed to publish and to merge: the user has decided about a vault that was restored.
    var decided: VaultSync {
        get throws(SyncFailure) {
            guard let sync = store.sync else { throw .notStarted }
            guard !sync.progress.isRestored else { throw .restored }
            return sync
        }
    }

    func save(_ sync: VaultSync, at now: Timestamp) throws(SyncFailure) {
        try vault { () throws(VaultError) in
            try store.write { transaction throws(VaultError) in
                try transaction.setSetting(VaultSync.membersSetting, to: sync.storedMembers, at: now)
                try transaction.setSetting(VaultSync.progressSetting, to: sync.progress.stored, at: now)
            }
        }
        store.sync = sync
    }

    func vault<Result>(_ body: () throws(VaultError) -> Result) throws(SyncFailure) -> Result {
        do throws(VaultError) { return try body() } catch { throw .vault(error) }
    }
}

extension SyncTransaction {
    /// Removes what is left of sync from before: its keys were lost.
    fileprivate mutating func forgetAll() throws(VaultError) {
        for form in [StoredSyncEntry.Form.record, .counter, .file] {
            for id in try records.ids(in: StoredSyncEntry.scope(of: form, key: records.key)) {
                if let entry: StoredSyncEntry = try records.fetch(id) { try transaction.remove(entry) }
            }
        }
    }

    /// Stores what a credential has, with the stamps that follow from it alone.
    fileprivate mutating func adopt(_ id: ObjectID, at now: Timestamp) throws(VaultError) {
        guard let credential: Credential = try records.fetch(id) else { return }
        let record = SyncedCredential.record(credential)
        var slice = SyncSlice(cuts: sync.members.cuts)
        try slice.read([id], record.logins, from: records)
        var writer = SyncWriter(
            changing: slice.state, origin: sync.origin, now: now, entropy: StoreEntropy(store: records.store))
        writer.adopt(record)
        slice.state = writer.state
        // Elements from before sync are named by their stamps as others are.
        try write(writer.operations, &slice, subjects: credential, of: id, at: now)
        try joinRows(of: id, &slice, at: now)
    }
}

extension RecordStore {
    /// Reads what is stored of sync, where it was started. What cannot be read stops sync alone. A vault that replaced another one, or
    /// was repaired, has to have its new device id first: `beginMarks` gives it one.
    func beginSync() {
        sync = nil
        guard (try? file.openDatabase.hasSync) == true, let root = unlockedVault?.manifest?.root,
            root.isMarked || file.directory == nil
        else { return }
        sync = (try? read { records throws(VaultError) in try VaultSync(storedIn: records) }) ?? nil
    }
}
