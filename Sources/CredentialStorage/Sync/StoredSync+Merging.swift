// SPDX-License-Identifier: Apache-2.0
package import Credentials
package import SyncFiles
package import SyncMerge
internal import VaultFormat

/// What others' files have.
extension StoredSync {
    /// A file that is being merged: one transaction a batch, so that others may run in between. One that is not merged to its end is
    /// merged again.
    package struct Merging: Sendable {
        fileprivate var content: SyncFileContent
        fileprivate(set) var isChanged = false
        /// No file of this machine will have what is merged but a snapshot: it is due once something was.
        var needsSnapshot = false

        var summary: FileSummary { content.summary }
    }

    /// Opens a file of another machine, and takes over the statements in it. Returns also the credentials that these changed.
    ///
    /// - Parameters:
    ///   - name: that of the file.
    ///   - device: in whose directory it is.
    package func begin(
        _ bytes: [UInt8], name: SyncFileName?, of device: DeviceID, at now: Timestamp
    ) throws(SyncFailure) -> (Merging, [Saved]) {
        guard device != (try updated).device else { throw .own }
        let (merging, saved) = try open(bytes, name, device, at: now)
        do throws(SyncFileError) { return (try merging.get(), saved) } catch { throw .file(error) }
    }

    /// Merges the next batch. Returns the credentials of this vault that changed; nil when all is merged.
    package func step(_ merging: inout Merging, at now: Timestamp) throws(SyncFailure) -> [Saved]? {
        let present = try updated
        let summary = merging.content.summary
        let makesDue = merging.needsSnapshot && present.progress.lastSnapshot != nil
        guard let operations = try next(&merging.content) else {
            guard summary.device != present.device else { return nil }
            var progress = present.progress
            progress.merged.note(summary)
            progress.met[summary.device] = SyncProgress.Met(name: merging.content.deviceName, merged: now)
            try save(progress, at: now)
            return nil
        }
        let (saved, isChanged) = try vault { () throws(VaultError) in
            try store.write { transaction throws(VaultError) in
                var batch = SyncTransaction(transaction, present)
                let merged = try batch.merge(operations, of: summary, at: now)
                transaction = batch.transaction
                if makesDue, merged.isChanged {
                    var progress = present.progress
                    progress.lastSnapshot = nil
                    try transaction.setSetting(VaultSync.progressSetting, to: progress.stored, at: now)
                }
                return merged
            }
        }
        if makesDue, isChanged { store.sync?.progress.lastSnapshot = nil }
        merging.isChanged = merging.isChanged || isChanged
        return saved
    }

    /// Merges a file of another machine to its end.
    package func merge(
        _ bytes: [UInt8], name: SyncFileName?, of device: DeviceID, at now: Timestamp
    ) throws(SyncFailure) -> [Saved] {
        var (merging, saved) = try begin(bytes, name: name, of: device, at: now)
        while let batch = try step(&merging, at: now) { saved += batch }
        return saved
    }

    /// Opens a file of whatever machine. What it states is taken over also where the file itself is not to be merged: it may state why.
    ///
    /// - Parameter limit: how many entries it may have.
    func open(
        _ bytes: [UInt8], _ name: SyncFileName?, _ device: DeviceID, at now: Timestamp,
        upTo limit: Int = SyncFileLimits.entries
    ) throws(SyncFailure) -> (Result<Merging, SyncFileError>, [Saved]) {
        try catchUp(at: now)
        var sync = try decided
        let former = sync
        let opened: Result<Merging, SyncFileError>
        do throws(SyncFileError) {
            opened = .success(Merging(content: try sync.content(of: bytes, name: name, device, upTo: limit)))
        } catch { opened = .failure(error) }
        return (opened, try adopt(sync, over: former, at: now))
    }

    /// Stores what is known of the members, where it has changed, and drops what does not count any more of removed machines. Where a
    /// removal was revoked, all files have to be merged again.
    func adopt(_ new: VaultSync, over former: VaultSync, at now: Timestamp) throws(SyncFailure) -> [Saved] {
        guard new.members.statements.count != former.members.statements.count else { return [] }
        var new = new
        do throws(KeyFailure) { try new.endIfReplaced(since: former) } catch { throw .keys }
        let adopted = new
        let cuts = new.cuts
        let saved = try vault { () throws(VaultError) in
            try store.write { transaction throws(VaultError) in
                var sync = adopted
                var saved: [Saved] = []
                if cuts != former.cuts {
                    // Under the former cuts: what is dropped now is not saved again.
                    var stamping = SyncTransaction(transaction, former)
                    try stamping.catchUpNoted()
                    transaction = stamping.transaction
                    var cutting = SyncTransaction(transaction, sync)
                    let outcome = try cutting.apply(cuts, over: former.cuts, at: now)
                    transaction = cutting.transaction
                    saved = outcome.saved
                    if outcome.readsAgain { sync.progress.mergeAllAgain() }
                }
                try sync.store(&transaction, at: now)
                transaction.records.store.setSync(sync)
                return saved
            }
        }
        if new.hasStated { store.sync?.noted.isStamped = true }
        return saved
    }

    func save(_ progress: SyncProgress, at now: Timestamp) throws(SyncFailure) {
        try vault { () throws(VaultError) in
            try store.write { transaction throws(VaultError) in
                try transaction.setSetting(VaultSync.progressSetting, to: progress.stored, at: now)
            }
        }
        store.sync?.progress = progress
    }

    func next(_ content: inout SyncFileContent) throws(SyncFailure) -> [SyncOperation]? {
        do throws(SyncFileError) { return try content.next() } catch { throw .file(error) }
    }
}

extension VaultSync {
    /// Opens a file, and takes over the statements in it. Of a machine that is known to be removed nothing is taken: what it wrote
    /// before is in others' snapshots, and what it writes now may bear any sequence.
    mutating func content(
        of bytes: [UInt8], name: SyncFileName?, _ device: DeviceID, upTo limit: Int = SyncFileLimits.entries
    ) throws(SyncFileError) -> SyncFileContent {
        let file = try SyncFile(bytes, name: name, group: members.group, device: device)
        members.insert(file.statements, isVouched: false)
        // After its own removal this machine keeps what it has.
        guard members.list.contains(self.device) else { throw .notAMember(self.device) }
        let verified = try file.verified(by: members)
        guard members.list.contains(device) else { throw .removed(device) }
        members.insert(file.statements)
        guard !isUnknown(to: file) else { throw .notAMember(self.device) }
        guard let key = epochKey(file.header.epoch) else { throw .otherEpoch(file.header.epoch) }
        return try verified.content(with: key, upTo: limit)
    }

    /// Whether a member states, in all that it knows of the group, that an id of this machine was removed, and not which one followed
    /// it: that one it takes from no file of this machine. Another member that knows it would pass it on.
    private func isUnknown(to file: SyncFile) -> Bool {
        guard file.header.isSnapshot else { return false }
        let ids = (formerKeys + [keys]).map(\.publicKeys.device)
        let admitted = Set(
            file.statements.compactMap { statement in
                if case .admission(let keys) = statement.content { keys.device } else { nil }
            })
        let stated = members.list(knowing: file.statements)
        let lacking = ids.indices.dropLast().first { stated.cuts[ids[$0]] != nil && !admitted.contains(ids[$0 + 1]) }
        guard let lacking else { return false }
        let successors = ids[(lacking + 1)...]
        return !progress.merged.statements.contains { device, vectors in
            stated.contains(device) && members.list.contains(device) && !ids.contains(device)
                && vectors.values.contains { vector in successors.contains { vector[$0] > 0 } }
        }
    }
}

extension SyncTransaction {
    fileprivate mutating func apply(
        _ cuts: [DeviceID: UInt64], over former: [DeviceID: UInt64], at now: Timestamp
    ) throws(VaultError) -> (saved: [Saved], readsAgain: Bool) {
        var slice = SyncSlice(cuts: former)
        let entries = try records.ids(in: StoredSyncEntry.scope(of: .record, key: records.key))
        try slice.read(
            entries.map { ObjectID(kind: .credential, high: $0.high, low: $0.low) }, from: records)
        let before = slice.state
        try keepOwn(&slice, under: cuts, at: now)
        let changes = slice.state.setCuts(cuts)
        return (try show(changes, &slice, before: before, at: now), changes.readsAgain)
    }

    /// Merges operations of other machines, and shows what they change.
    fileprivate mutating func merge(
        _ operations: [SyncOperation], of file: FileSummary, at now: Timestamp
    ) throws(VaultError) -> (saved: [Saved], isChanged: Bool) {
        if records.store.sync?.mustCompare == false { try catchUpNoted() }
        var slice = SyncSlice(cuts: sync.cuts)
        for operation in operations {
            switch operation {
            case .add(let id, let element):
                try slice.read([id], from: records)
                if case .code(let code?) = element.value { try slice.readCounter(code.nonce, from: records) }
            case .dead(let id, _, _), .gone(let id, _, _): try slice.read([id], from: records)
            case .counter(let nonce, _, _): try slice.readCounter(nonce, from: records)
            }
        }
        // Those that appear as one with what the file has: their logins are in it.
        var arriving = SyncState()
        arriving.merge(operations)
        let logins = arriving.ids.flatMap { arriving.logins(of: $0) }
        try slice.read([], logins, from: records)
        // What is not stamped yet would be replaced.
        if try catchUp(slice.state.ids + arriving.ids, logins) {
            return try merge(operations, of: file, at: now)
        }
        let before = slice.state
        let changes = slice.state.merge(operations)
        // A user and a site may have come from two files.
        try slice.read([], changes.records.flatMap { slice.state.logins(of: $0) }, from: records)
        let arising = NotedConflict.arising(changes, from: before, to: slice.state, by: file, at: now)
        try noteConflicts(adding: arising.added, removing: arising.resolved, at: now)
        return (try show(changes, &slice, before: before, at: now), !changes.isEmpty)
    }
}
