// SPDX-License-Identifier: Apache-2.0
internal import Credentials
internal import VaultFormat

/// What transactions note of sync in memory; at the unlock it is read from the vault.
struct SyncNotes {
    /// Something is stamped, or stated, that no file has.
    var isStamped = true
    /// How many files are committed and not known to be copied out.
    var outbox = 0
    /// As they are stored, the newest last.
    var conflicts: [NotedConflict] = []
    /// The folder has a file of a newer format.
    var hasNewerFile = false

    init() {}

    init(storedIn records: RecordView, of sync: VaultSync) throws(VaultError) {
        isStamped = sync.hasStated
        for sequence in sync.progress.range where !isStamped {
            let tag = StoredSyncEntry.published(in: sequence, key: records.key)
            isStamped = try !records.ids(withAll: [tag], after: nil, limit: 1).elements.isEmpty
        }
        outbox = try records.ids(in: StoredSyncEntry.scope(of: .file, key: records.key)).count
        let index = StoredSetting.blindIndex(name: VaultSync.conflictsSetting, key: records.key)
        let stored: StoredSetting? = try records.fetch(index)
        conflicts = NotedConflict.list(storedIn: stored?.value)
    }
}
