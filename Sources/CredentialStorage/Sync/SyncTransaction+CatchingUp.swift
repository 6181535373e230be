// SPDX-License-Identifier: Apache-2.0
internal import Credentials
internal import SyncFiles
internal import SyncMerge
internal import VaultFormat

/// What was saved and is not stamped yet: a credential is stamped up to the greatest version of its entry.
extension SyncTransaction {
    /// Stamps what of these records, and of those of the logins, is not stamped yet: nothing that is merged may replace it. Returns
    /// whether there was anything.
    mutating func catchUp(
        _ ids: some Sequence<ObjectID>, _ logins: some Sequence<Login> = EmptyCollection()
    ) throws(VaultError) -> Bool {
        var candidates = Set(ids)
        for login in logins {
            guard let service = SyncedService.service(login.site, kind: .password),
                let row = try records.password(for: service, user: login.user)
            else { continue }
            candidates.insert(row.id)
        }
        var isFound = false
        for id in candidates.sorted() {
            guard let row = try SyncReader(records: records).unstamped(id) else { continue }
            try stamp(id, row, at: row.deleted ?? row.changed)
            isFound = true
        }
        return isFound
    }

    /// Stamps what is known not to be, or may not be.
    mutating func catchUpNoted() throws(VaultError) {
        guard let sync = records.store.sync else { return }
        let all = sync.mustCompare ? try SyncReader(records: records).credentialIDs() : nil
        _ = try catchUp(all ?? Array(sync.noted.unstamped))
    }

    /// Compares all: stamps every credential that is not stamped yet, and shows again what has stamps and no row.
    mutating func catchUpAll(at now: Timestamp) throws(VaultError) {
        _ = try catchUp(try SyncReader(records: records).credentialIDs())
        for entry in try records.ids(in: StoredSyncEntry.scope(of: .record, key: records.key)) {
            let id = ObjectID(kind: .credential, high: entry.high, low: entry.low)
            guard let stored: StoredSyncEntry = try records.fetch(entry), stored.shown == id,
                try records.fetch(id, as: Credential.self) == nil
            else { continue }
            var slice = SyncSlice(cuts: sync.cuts)
            try slice.read([id], from: records)
            _ = try show(MergeChanges(of: [id]), &slice, before: SyncState(), at: now)
        }
    }
}
