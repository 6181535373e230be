// SPDX-License-Identifier: Apache-2.0
package import Credentials
package import SyncFiles
package import SyncMerge
internal import VaultFormat

/// What others' files have.
extension StoredSync {
    /// A file that is being merged: one transaction a batch, so that others may run in between. One that is not merged to its end is
    /// merged again.
    package struct Merging {
        fileprivate var content: SyncFileContent
        fileprivate(set) var isChanged = false
    }

    /// Opens a file of another machine, and takes over the statements in it. Returns also the credentials that these changed.
    ///
    /// - Parameters:
    ///   - name: that of the file.
    ///   - device: in whose directory it is.
    package func begin(
        _ bytes: [UInt8], name: SyncFileName?, of device: DeviceID, at now: Timestamp
    ) throws(SyncFailure) -> (Merging, [Saved]) {
        guard device != (try decided).device else { throw .own }
        return try open(bytes, name, device, at: now)
    }

    /// Merges the next batch. Returns the credentials of this vault that changed; nil when all is merged.
    package func step(_ merging: inout Merging, at now: Timestamp) throws(SyncFailure) -> [Saved]? {
        var sync = try decided
        guard let operations = try next(&merging.content) else {
            let summary = merging.content.summary
            guard summary.device != sync.device else { return nil }
            sync.progress.merged.note(summary)
            try save(sync, at: now)
            return nil
        }
        let present = sync
        let (saved, isChanged) = try vault { () throws(VaultError) in
            try store.write { transaction throws(VaultError) in
                var batch = SyncTransaction(transaction, present)
                let merged = try batch.merge(operations, at: now)
                transaction = batch.transaction
                return merged
            }
        }
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

    /// The same with a file of whatever machine.
    func open(
        _ bytes: [UInt8], _ name: SyncFileName?, _ device: DeviceID, at now: Timestamp
    ) throws(SyncFailure) -> (Merging, [Saved]) {
        try catchUp(at: now)
        var sync = try decided
        let (cuts, count) = (sync.members.cuts, sync.members.statements.count)
        let content = try sync.content(of: bytes, name: name, device)
        var saved: [Saved] = []
        if sync.members.cuts != cuts { saved = try apply(&sync, over: cuts, at: now) }
        if sync.members.statements.count != count { try save(sync, at: now) }
        return (Merging(content: content), saved)
    }

    func next(_ content: inout SyncFileContent) throws(SyncFailure) -> [SyncOperation]? {
        do throws(SyncFileError) { return try content.next() } catch { throw .file(error) }
    }

    /// Drops what does not count any more of removed machines. Where a removal was revoked, all files have to be merged again.
    private func apply(
        _ sync: inout VaultSync, over former: [DeviceID: UInt64], at now: Timestamp
    ) throws(SyncFailure) -> [Saved] {
        let (cuts, merged) = (sync.members.cuts, sync)
        let (saved, readsAgain) = try vault { () throws(VaultError) in
            try store.write { transaction throws(VaultError) in
                var cutting = SyncTransaction(transaction, merged)
                let outcome = try cutting.apply(cuts, over: former, at: now)
                transaction = cutting.transaction
                return outcome
            }
        }
        if readsAgain { sync.progress.merged = MergedFiles() }
        return saved
    }
}

extension VaultSync {
    /// Opens a file, and takes over the statements in it.
    mutating func content(
        of bytes: [UInt8], name: SyncFileName?, _ device: DeviceID
    ) throws(SyncFailure) -> SyncFileContent {
        do throws(SyncFileError) {
            let file = try SyncFile(bytes, name: name, group: members.group, device: device)
            members.insert(file.statements)
            let verified = try file.verified(by: members)
            guard let key = epochKey(file.header.epoch) else { throw .otherEpoch(file.header.epoch) }
            return try verified.content(with: key)
        } catch { throw .file(error) }
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
        let changes = slice.state.setCuts(cuts)
        return (try show(changes, &slice, before: before, at: now), changes.readsAgain)
    }

    /// Merges operations of other machines, and shows what they change.
    fileprivate mutating func merge(
        _ operations: [SyncOperation], at now: Timestamp
    ) throws(VaultError) -> (saved: [Saved], isChanged: Bool) {
        var slice = SyncSlice(cuts: sync.members.cuts)
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
        // What was saved without its stamps would be replaced.
        if try catchUp(slice.state.ids + arriving.ids, logins, at: now) { return try merge(operations, at: now) }
        let before = slice.state
        let changes = slice.state.merge(operations)
        // A user and a site may have come from two files.
        try slice.read([], changes.records.flatMap { slice.state.logins(of: $0) }, from: records)
        return (try show(changes, &slice, before: before, at: now), !changes.isEmpty)
    }
}
