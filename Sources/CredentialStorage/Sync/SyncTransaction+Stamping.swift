// SPDX-License-Identifier: Apache-2.0
internal import Credentials
internal import SyncFiles
internal import SyncMerge
internal import VaultFormat

extension SyncTransaction {
    /// Stores the stamps of what a transaction has removed for good, moved to other logins, deleted or restored, and of what it has
    /// replaced before that was stamped. What else it saved is stamped later: see `StoredSync.stampNext`.
    ///
    /// - Parameter isDeferred: leaves all to that but the removals.
    static func stampAtOnce(_ transaction: inout RecordTransaction, isDeferred: Bool) throws(VaultError) {
        if isDeferred {
            transaction.unstamped += transaction.stampedAtOnce
            (transaction.stampedAtOnce, transaction.replacedUnstamped) = ([], [])
        }
        let (replaced, removed) = (transaction.replacedUnstamped, transaction.removedCredentials)
        let ids = transaction.stampedAtOnce
        guard !replaced.isEmpty || !removed.isEmpty || !ids.isEmpty, let sync = transaction.records.store.sync else {
            return
        }
        var stamping = SyncTransaction(transaction, sync)
        // A row from before its stamps is shown again first.
        if !sync.mustCompare { for (old, time) in replaced { try stamping.stampReplaced(old, at: time) } }
        for old in removed { try stamping.stamp(old.id, nil, at: old.changed) }
        _ = try stamping.catchUp(ids)
        transaction = stamping.transaction
        (transaction.removedCredentials, transaction.stampedAtOnce) = ([], [])
        transaction.replacedUnstamped = []
    }

    /// Stamps what a save has replaced that was not stamped yet, at its own time: with that of a later change it would be used
    /// instead of what another machine has saved in between. So it would with the time of a clock that was ahead: then it has that of
    /// the save. Where another record is alive in its stamps under a login of it, that has to be stamped first, and all is stamped with
    /// the last change.
    private mutating func stampReplaced(_ old: Credential, at time: Timestamp) throws(VaultError) {
        let entry: StoredSyncEntry? = try records.fetch(SyncSlice.entry(of: old.id))
        let isNext = entry.map { $0.shown == old.id && $0.greatestVersion < old.version } ?? true
        guard isNext, old.deleted == nil else { return }
        let logins = SyncedCredential.record(old).logins
        var slice = SyncSlice(cuts: sync.cuts)
        try slice.read([old.id], logins, from: records)
        let state = slice.state
        guard entry == nil || state.isAlive(old.id) else { return }
        let group = state.group(of: old.id)
        let others = logins.flatMap { state.records(with: $0) }.filter { state.isAlive($0) && !group.contains($0) }
        if others.isEmpty { try stamp(old.id, old, at: time) }
    }

    /// Stamps what differs between a credential and what its stamps show.
    ///
    /// - Parameters:
    ///   - new: the credential; nil where it was removed for good.
    ///   - former: what its stamps have shown; nil where they still do.
    mutating func stamp(
        _ id: ObjectID, _ new: Credential?, from former: EarlierRecord? = nil, at now: Timestamp
    ) throws(VaultError) {
        let record = new.map { SyncedCredential.record($0) }
        var slice = SyncSlice(cuts: sync.cuts)
        try slice.read([id], record?.logins ?? [], from: records)
        let old = former ?? slice.shown(id, over: new, at: now).map { SyncedCredential.record($0) }
        var operations: [SyncOperation] = []
        let (origin, entropy) = (sync.origin, StoreEntropy(store: records.store))
        func make(at time: Timestamp, _ body: (inout SyncWriter<StoreEntropy>) -> Void) {
            var writer = SyncWriter(changing: slice.takeState(), origin: origin, now: time, entropy: entropy)
            body(&writer)
            slice.state = writer.state
            operations += writer.operations
        }
        if let record {
            let first = record.passwordChange(from: old, before: now)
            if let first { make(at: first.time) { $0.save(first.record, over: old) } }
            make(at: now) { $0.save(record, over: first?.record ?? old) }
        } else {
            make(at: now) { writer in
                writer.delete(id)
                writer.purge(id)
            }
        }
        try write(operations, &slice, subjects: new, of: id, at: now)
        try noteConflicts(adding: [], removing: [id] + slice.state.group(of: id), at: now)
        try joinRows(of: id, &slice, at: new?.deleted ?? now)
    }

    /// Stores which conflicts are reported to the user.
    mutating func noteConflicts(
        adding added: [NotedConflict], removing ids: some Sequence<ObjectID>, at now: Timestamp
    ) throws(VaultError) {
        guard let present = records.store.sync?.noted.conflicts, !present.isEmpty || !added.isEmpty else { return }
        let new = NotedConflict.list(present, adding: added, removing: ids)
        guard new != present else { return }
        let stored = new.isEmpty ? nil : NotedConflict.stored(new)
        try transaction.setSetting(VaultSync.conflictsSetting, to: stored, at: now)
        records.store.sync?.noted.conflicts = new
    }

    /// Records that appear as one have one row: deleted ones may become one by a deletion. What of a row is not stamped yet would be
    /// lost: then it is done with the last of their stamps.
    mutating func joinRows(of id: ObjectID, _ slice: inout SyncSlice, at now: Timestamp) throws(VaultError) {
        let group = slice.state.group(of: id)
        guard group.count > 1 else { return }
        var rows: [ObjectID] = []
        for other in group {
            guard let row: Credential = try records.fetch(other) else { continue }
            if try SyncReader(records: records).unstamped(other) != nil { return }
            rows.append(row.id)
        }
        guard rows != [group[0]], !rows.isEmpty else { return }
        _ = try show(MergeChanges(of: [id]), &slice, before: SyncState(), at: now)
    }

    /// Stores the records that operations of this machine changed.
    mutating func write(
        _ operations: [SyncOperation], _ slice: inout SyncSlice, subjects credential: Credential?, of shown: ObjectID,
        at now: Timestamp
    ) throws(VaultError) {
        let changes = Changed(operations)
        if !operations.isEmpty { records.store.sync?.noted.isStamped = true }
        let writers = credential.map { Self.writers(of: operations, $0) } ?? [:]
        for id in changes.records.union([shown]).sorted() {
            try slice.write(
                id, publishedIn: changes.records.contains(id) ? sync.progress.next : nil, writers: writers,
                version: id == shown ? credential?.version ?? 0 : 0, &transaction, at: now)
        }
        for nonce in changes.counters.sorted() {
            try slice.write(nonce, publishedIn: sync.progress.next, &transaction, at: now)
        }
    }

    /// Has this machine's next file publish operations, the records of which are stored.
    ///
    /// - Parameter writers: the subjects of elements that are new.
    mutating func publish(
        _ operations: [SyncOperation], _ slice: inout SyncSlice, writers: [Mark: Subject] = [:], at now: Timestamp
    ) throws(VaultError) {
        let changes = Changed(operations)
        if !operations.isEmpty { records.store.sync?.noted.isStamped = true }
        for id in changes.records.sorted() {
            try slice.write(
                id, publishedIn: sync.progress.next, writers: writers, version: 0, &transaction, at: now)
        }
        for nonce in changes.counters.sorted() {
            try slice.write(nonce, publishedIn: sync.progress.next, &transaction, at: now)
        }
    }

    /// Has the present id publish what this machine wrote under former ones, where a removal names an earlier last file of them.
    mutating func keepOwn(
        _ slice: inout SyncSlice, under cuts: [DeviceID: UInt64], at now: Timestamp
    ) throws(VaultError) {
        let former = Set(sync.formerKeys.map(\.publicKeys.device))
        guard former.contains(where: { cuts[$0] != nil }) else { return }
        let stored = slice.writers
        var writer = SyncWriter(
            changing: slice.takeState(), origin: sync.origin, now: now, entropy: StoreEntropy(store: records.store))
        var writers: [Mark: Subject] = [:]
        for (mark, new) in writer.keep(former, under: cuts) { writers[new] = stored[mark.rawValue] }
        slice.state = writer.state
        try publish(writer.operations, &slice, writers: writers, at: now)
    }

    /// The subject of each new element that has one.
    private static func writers(of operations: [SyncOperation], _ credential: Credential) -> [Mark: Subject] {
        var writers: [Mark: Subject] = [:]
        for case .add(_, let element) in operations {
            switch element.kind {
            case .password: writers[element.mark] = credential.writer
            case .code: writers[element.mark] = credential.codeWriter
            case let kind where SyncedCredential.isDetail(kind): writers[element.mark] = credential.details.writer
            default: break
            }
        }
        return writers
    }

    /// The records and counters that operations change.
    private struct Changed {
        var records: Set<ObjectID> = []
        var counters: Set<OneTimeCode.Nonce> = []

        init(_ operations: [SyncOperation]) {
            for operation in operations {
                switch operation {
                case .add(let id, _), .dead(let id, _, _), .gone(let id, _, _): records.insert(id)
                case .counter(let nonce, _, _): counters.insert(nonce)
                }
            }
        }
    }
}

/// The random numbers of a vault.
struct StoreEntropy: RandomNumberGenerator {
    let store: RecordStore

    func next() -> UInt64 { store.entropy.next() }
}

extension EarlierRecord {
    /// Where it is found.
    var logins: [Login] { sites.map { Login(site: $0, user: user) } }

    /// The last change of the password alone, and when that was: something else was changed later. Nil where it is part of the last
    /// change, or there is none. With the time of a later change it would be used instead of what another machine has saved since.
    fileprivate func passwordChange(
        from old: EarlierRecord?, before last: Timestamp
    ) -> (record: EarlierRecord, time: Timestamp)? {
        guard old?.isDeleted != true, old?.password != password,
            let time = formerPasswords.last?.replaced, time < last
        else { return nil }
        var record = old ?? self
        (record.password, record.formerPasswords) = (password, formerPasswords)
        if old == nil { (record.code, record.formerCodes, record.counters, record.fields) = (nil, [], [], [:]) }
        return (record, time)
    }
}
