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
        var all = Array(ids)
        for login in logins {
            guard let service = SyncedService.service(login.site, kind: .password),
                let row = try records.password(for: service, user: login.user)
            else { continue }
            all.append(row.id)
        }
        let found = try unstamped(from: all)
        let (deleted, living) = (found.deleted.sorted(), found.living.sorted())
        var former: [ObjectID: EarlierRecord] = [:]
        if deleted.count + living.count > 1 { for id in living { former[id] = try free(id, for: found.wanted) } }
        for id in deleted + living {
            guard let found = try SyncReader(records: records).unstamped(id) else { continue }
            let row = try raised(found.row, above: found.greatestVersion)
            try stamp(id, row, from: former[id], at: row.changed)
        }
        return !(deleted.isEmpty && living.isEmpty)
    }

    /// Those that are not stamped yet: of these records, and of all that have, or have had, a login in common with one that was found.
    /// `wanted` are the logins that they have now.
    private func unstamped(
        from ids: [ObjectID]
    ) throws(VaultError) -> (deleted: [ObjectID], living: [ObjectID], wanted: Set<Login>) {
        var waiting = ids
        var met: Set<ObjectID> = [], deleted: [ObjectID] = [], living: [ObjectID] = [], wanted: Set<Login> = []
        while let id = waiting.popLast() {
            guard met.insert(id).inserted, let row = try SyncReader(records: records).unstamped(id)?.row else {
                continue
            }
            if row.deleted == nil { living.append(id) } else { deleted.append(id) }
            // Those whose stamps have a login of it may have been moved or deleted since.
            for service in row.services {
                let login = Login(site: SyncedService.site(of: service.service, in: row), user: row.user)
                guard wanted.insert(login).inserted else { continue }
                for other in try SyncSlice.ids(with: login, records) {
                    waiting.append(other)
                    // An alias has no row.
                    let entry: StoredSyncEntry? = try records.fetch(SyncSlice.entry(of: other))
                    if let shown = entry?.shown { waiting.append(shown) }
                }
            }
        }
        return (deleted, living, wanted)
    }

    /// Gives a credential that was moved a login of its own in its stamps, where another one that is to be stamped has its former one by
    /// now: neither is to be taken for the other. Returns what its stamps have shown; nil where that stays.
    private mutating func free(_ id: ObjectID, for wanted: Set<Login>) throws(VaultError) -> EarlierRecord? {
        var slice = SyncSlice(cuts: sync.cuts)
        try slice.read([id], from: records)
        // Most are new, and have no stamps.
        guard slice.state.isAlive(id), let row: Credential = try records.fetch(id), row.kind == .password else {
            return nil
        }
        let held = Set(slice.state.group(of: id).flatMap { slice.state.logins(of: $0) })
        let logins = SyncedCredential.record(row).logins
        guard !held.subtracting(logins).isDisjoint(with: wanted),
            let shown = slice.shown(id, over: row, at: row.changed)
        else { return nil }
        var writer = SyncWriter(
            changing: slice.takeState(), origin: sync.origin, now: row.changed,
            entropy: StoreEntropy(store: records.store))
        writer.move(id, user: row.user, sites: ["domain \(id)"])
        slice.state = writer.state
        // Its version is not stored with it: it is still to be stamped.
        try write(writer.operations, &slice, subjects: nil, of: id, at: row.changed)
        return SyncedCredential.record(shown)
    }

    /// Gives a credential that has come back after its id was purged a version above all that the id has had: else what is saved of it
    /// next would be taken for stamped.
    private mutating func raised(_ row: Credential, above greatest: UInt64) throws(VaultError) -> Credential {
        guard row.version <= greatest else { return row }
        var new = row
        new.version = records.store.version(after: greatest)
        try transaction.replace(row, with: new)
        return new
    }

    /// Stamps what is known not to be, or may not be.
    mutating func catchUpNoted() throws(VaultError) {
        records.store.findUnstamped()
        guard let sync = records.store.sync else { return }
        let all = sync.mustCompare ? try SyncReader(records: records).credentialIDs() : nil
        _ = try catchUp(all ?? Array(sync.noted.unstamped))
    }

    /// Compares all: stamps every credential that is not stamped yet, and shows again what has stamps and no row, or one from before
    /// them: a repair may have found no other. A save of that row would publish all that is older in it.
    mutating func catchUpAll(at now: Timestamp) throws(VaultError) {
        _ = try catchUp(try SyncReader(records: records).credentialIDs())
        for entry in try records.ids(in: StoredSyncEntry.scope(of: .record, key: records.key)) {
            let id = ObjectID(kind: .credential, high: entry.high, low: entry.low)
            guard let stored: StoredSyncEntry = try records.fetch(entry), stored.shown == id else { continue }
            if let row: Credential = try records.fetch(id), row.version >= stored.greatestVersion { continue }
            var slice = SyncSlice(cuts: sync.cuts)
            try slice.read([id], from: records)
            _ = try show(MergeChanges(of: [id]), &slice, before: SyncState(), at: now)
        }
    }
}
