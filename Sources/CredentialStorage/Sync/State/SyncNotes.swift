// SPDX-License-Identifier: Apache-2.0
internal import Credentials
internal import SecretMemory
internal import SyncFiles
internal import VaultFormat

/// What transactions note of sync in memory; at the unlock it is read from the vault.
struct SyncNotes {
    /// The credentials that were saved here and are not stamped yet, and perhaps others.
    var unstamped: Set<ObjectID> = []
    /// Whether those are among them that were saved before the unlock: see `RecordStore.findUnstamped`.
    var hasFormer = true
    /// Something is stamped, or stated, that no file has.
    var isStamped = true
    /// How many files are committed and not known to be copied out.
    var outbox = 0
    /// As they are stored, the newest last.
    var conflicts: [NotedConflict] = []
    /// The folder has a file of a newer format.
    var hasNewerFile = false
    /// What a merged deletion is recorded with; nil: the time of the merge.
    var deletion: Timestamp?
    /// What a snapshot would have too much of, and when that was found.
    var excess: (limit: SyncFailure.Limit, found: Timestamp)?
    /// The files that this machine put out under former ids whose content this vault has.
    var former: Set<SyncFileName> = []

    /// Whether something is to be stamped, sealed or copied out.
    var hasChanges: Bool { hasUnstamped || isStamped || outbox > 0 }

    /// Whether something is to be stamped, or may be.
    var hasUnstamped: Bool { !unstamped.isEmpty || !hasFormer }

    init() {}

    init(storedIn records: RecordView, of sync: VaultSync) throws(VaultError) {
        hasFormer = false
        isStamped = sync.hasStated
        for sequence in sync.progress.range where !isStamped {
            let tag = StoredSyncEntry.published(in: sequence, key: records.key)
            isStamped = try !records.ids(withAll: [tag], after: nil, limit: 1).elements.isEmpty
        }
        outbox = try records.ids(in: StoredSyncEntry.scope(of: .file, key: records.key)).count
        let index = StoredSetting.blindIndex(name: VaultSync.conflictsSetting, key: records.key)
        let stored: StoredSetting? = try records.fetch(index)
        conflicts = NotedConflict.list(storedIn: stored?.value)
        // A conflict is not shown where its credential is in the set. The others are found later.
        for id in conflicts.map(\.credential) {
            let isUnstamped = try RecordView.intact { () throws(VaultError) -> Bool in
                try SyncReader(records: records).unstamped(id) != nil
            }
            if isUnstamped == true { unstamped.insert(id) }
        }
    }

    // MARK: - What is not stamped

    /// The generation of the manifest up to which every credential is stamped.
    static let stampedSetting = "sync stamped"

    /// Stores that all credentials are stamped that were saved before this transaction.
    static func setAllStamped(_ transaction: inout RecordTransaction, at now: Timestamp) throws(VaultError) {
        guard let generation = transaction.unlocked.manifest?.root.generation else { return }
        try transaction.setSetting(stampedSetting, to: BinaryWriter.encode { $0.put(generation) }, at: now)
    }

    /// The credentials that were sealed since all were stamped.
    static func unstamped(_ records: RecordView) throws(VaultError) -> Set<ObjectID> {
        let index = StoredSetting.blindIndex(name: stampedSetting, key: records.key)
        let setting: StoredSetting? = try records.fetch(index)
        let stamped = setting?.value.withUnsafeBytes { bytes in
            var reader = BinaryReader(bytes)
            return reader.integer(UInt64.self)
        }
        var ids: Set<ObjectID> = []
        try SyncReader(records: records).eachEntry(of: .credential) { entry throws(VaultError) in
            if entry.sealing > stamped ?? 0 { ids.insert(entry.id) }
        }
        return ids
    }
}
