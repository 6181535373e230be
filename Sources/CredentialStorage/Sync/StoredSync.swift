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

    /// Whether nothing of sync is stored in this vault, not even what cannot be read or used now.
    package var isAbsent: Bool {
        guard store.sync == nil else { return false }
        do throws(VaultError) {
            return try store.read { records throws(VaultError) -> Bool in
                let index = StoredSetting.blindIndex(name: VaultSync.membersSetting, key: records.key)
                let members: StoredSetting? = try records.fetch(index)
                return members == nil
            }
        } catch { return false }
    }

    /// Who belongs to the group; nil where sync was not started.
    package var members: MemberRegister? { store.sync?.members }

    /// This machine; nil where sync was not started.
    package var device: DeviceID? { store.sync?.device }

    /// What this machine has merged of each other one, and, of itself, what it has written.
    package var vector: VersionVector {
        store.sync.map { $0.progress.merged.vector(of: $0.device, at: $0.progress.covered) } ?? VersionVector()
    }

    /// The user's name for this machine; nil where sync was not started.
    package var name: String? { store.sync?.deviceName }

    /// Whether this machine belongs to the group.
    package var isMember: Bool { store.sync.map { $0.members.list.contains($0.device) } ?? false }

    /// All machines that belong to the group, and those that did.
    package func devices() -> [SyncedDevice] { store.sync?.devices ?? [] }

    /// The last credentials whose password two machines changed, neither of which knew of the other's change; the newest note last. A
    /// save of the credential here removes its note.
    package func conflicts() -> [SyncConflict] { store.sync?.conflicts ?? [] }

    /// Whether something is to be stamped, sealed or copied out: it reads memory alone. Only stamps are made before the user's decision
    /// after a restore; nothing is to be done where this machine was removed.
    package var hasChanges: Bool {
        guard let sync = store.sync, isMember else { return false }
        // Stamps that wait would have the time of the last change of all.
        return sync.mustCompare || (sync.progress.isRestored ? sync.noted.hasUnstamped : sync.noted.hasChanges)
    }

    /// Notes the time, before what may merge something: deletions are recorded by the clock that they are removed by.
    ///
    /// - Parameter steady: the present time of the steady clock.
    package func noteTime(steady: Timestamp) {
        guard isStarted else { return }
        let deletion = store.deletionTime(at: steady)
        store.sync?.noted.deletion = deletion
    }

    /// Starts sync in one transaction: takes over all credentials, so that two copies of one vault agree, and stores the keys. The
    /// file is refused by programs of before sync from then on. A snapshot has to be written next.
    ///
    /// - Parameter expected: what an invitation states that the folder has: what is missing of it is reported.
    package func start(
        _ keys: KeyPairs, _ members: MemberRegister, deviceName: String, expecting expected: VersionVector = .init(),
        at now: Timestamp
    ) throws(SyncFailure) {
        guard store.sync == nil else { throw .started }
        var new = VaultSync(keys: keys, members: members, deviceName: deviceName)
        new.progress.expected = expected
        let sync = new
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
                try sync.store(&transaction, at: now)
                try SyncNotes.setAllStamped(&transaction, at: now)
            }
        }
        store.sync = sync
    }

    /// Removes all that sync has in the vault, in one transaction: keys, stamps, what is not copied out. The credentials stay, and a
    /// later start begins again.
    package func stop(at now: Timestamp) throws(SyncFailure) {
        guard let sync = store.sync else { throw .notStarted }
        try vault { () throws(VaultError) in
            try store.write { transaction throws(VaultError) in
                transaction.isBulk = true
                var stopping = SyncTransaction(transaction, sync)
                try stopping.forgetAll()
                transaction = stopping.transaction
                for name in VaultSync.settings { try transaction.setSetting(name, to: nil, at: now) }
            }
        }
        store.sync = nil
    }

    /// Gives this machine another name: the next `tidy` publishes it.
    package func rename(to name: String, at now: Timestamp) throws(SyncFailure) {
        guard var sync = store.sync else { throw .notStarted }
        sync.deviceName = name
        try save(sync, at: now)
    }

    /// What is needed to publish, and to remove a machine: the user has decided about a vault that was restored.
    var decided: VaultSync {
        get throws(SyncFailure) {
            guard let sync = store.sync else { throw .notStarted }
            guard !sync.progress.isRestored else { throw .restored }
            return sync
        }
    }

    /// What is needed to merge, and to let a machine in: no machine of the group is newer than this one, either. Whoever can write to
    /// the folder can put a file there that claims to be newer.
    var updated: VaultSync {
        get throws(SyncFailure) {
            let sync = try decided
            guard !sync.needsUpdate else { throw .needsUpdate }
            return sync
        }
    }

    func save(_ sync: VaultSync, at now: Timestamp) throws(SyncFailure) {
        try vault { () throws(VaultError) in
            try store.write { transaction throws(VaultError) in try sync.store(&transaction, at: now) }
        }
        store.setSync(sync)
    }

    // MARK: - Stamps

    /// How many credentials one transaction stamps.
    private static let stampedAtOnce = 256

    /// Stamps the next credentials that were saved here. Returns whether others are left.
    ///
    /// Its transaction is not durable: what it has stored is made again from the credentials, which are.
    package func stampNext(at now: Timestamp) throws(SyncFailure) -> Bool {
        if store.sync?.mustCompare == true {
            // A row from before its stamps is shown again first: a save of it would publish what is older in it.
            try catchUp(at: now)
            return false
        }
        store.findUnstamped()
        guard let sync = store.sync, !sync.noted.unstamped.isEmpty else { return false }
        let ids = sync.noted.unstamped.prefix(Self.stampedAtOnce)
        let hasMore = ids.count < sync.noted.unstamped.count
        try vault { () throws(VaultError) in
            try store.write(isDurable: false) { transaction throws(VaultError) in
                var stamping = SyncTransaction(transaction, sync)
                _ = try stamping.catchUp(ids)
                transaction = stamping.transaction
                if !hasMore { try SyncNotes.setAllStamped(&transaction, at: now) }
            }
        }
        store.sync?.noted.unstamped.subtract(ids)
        return hasMore
    }

    /// Stamps all that was saved here. Compares all credentials with their stamps where that is needed, or `always`.
    func catchUp(at now: Timestamp, always: Bool = false) throws(SyncFailure) {
        if !always { store.findUnstamped() }
        guard var sync = store.sync, always || sync.mustCompare else {
            while try stampNext(at: now) {}
            return
        }
        (sync.mustCompare, sync.progress.mustCompare) = (false, false)
        let new = sync
        try vault { () throws(VaultError) in
            try store.write { transaction throws(VaultError) in
                transaction.isBulk = true
                var comparing = SyncTransaction(transaction, new)
                try comparing.catchUpAll(at: now)
                transaction = comparing.transaction
                try transaction.setSetting(VaultSync.progressSetting, to: new.progress.stored, at: now)
                try SyncNotes.setAllStamped(&transaction, at: now)
            }
        }
        store.setSync(new)
        store.sync?.noted.unstamped = []
        store.sync?.noted.hasFormer = true
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
        var slice = SyncSlice(cuts: sync.cuts)
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
    /// The version of a credential that changes: after a restore it exceeds all that the replaced vault may have given.
    func version(after version: UInt64) -> UInt64 { max(version, sync?.progress.versionFloor ?? 0) + 1 }

    /// Replaces what is known of sync, but for what transactions have noted meanwhile.
    func setSync(_ new: VaultSync) {
        var new = new
        if let sync {
            new.noted = sync.noted
            // There may be less of a machine that was removed: the others wait for a snapshot under the new key.
            if sync.cuts != new.cuts { (new.noted.excess, new.noted.former) = (nil, []) }
        }
        sync = new
    }

    /// Finds what was saved before the unlock and is not stamped, once, before anything is stamped, merged or removed for good: it reads
    /// the whole manifest, for which an unlock on the event loop would take too long. Where that cannot be read all is compared.
    func findUnstamped() {
        guard sync?.noted.hasFormer == false else { return }
        let found = try? read { records throws(VaultError) in try SyncNotes.unstamped(records) }
        if let found { sync?.noted.unstamped.formUnion(found) } else { sync?.mustCompare = true }
        sync?.noted.hasFormer = true
    }

    /// Reads what is stored of sync, where it was started. What cannot be read stops sync alone. A vault that replaced another one, or
    /// was repaired, has to have its new device id first: `beginMarks` gives it one.
    func beginSync() {
        sync = nil
        guard (try? file.openDatabase.hasSync) == true, let root = unlockedVault?.manifest?.root,
            root.isMarked || file.directory == nil
        else { return }
        sync = (try? read { records throws(VaultError) in try VaultSync(storedIn: records) }) ?? nil
        guard let sync else { return }
        // Where they cannot be read all is compared, and the next file is made as if something had changed.
        let noted = try? read { records throws(VaultError) in try SyncNotes(storedIn: records, of: sync) }
        if let noted { self.sync?.noted = noted } else { self.sync?.mustCompare = true }
    }
}
