// SPDX-License-Identifier: Apache-2.0
package import Credentials
package import SyncFiles
package import SyncMerge
internal import VaultFormat

/// What others' files have.
extension StoredSync {
    /// Merges a file of another machine, batch by batch: one that was interrupted is merged again. Returns the credentials of this
    /// vault that changed.
    ///
    /// - Parameters:
    ///   - name: that of the file.
    ///   - device: in whose directory it is.
    package func merge(
        _ bytes: [UInt8], name: SyncFileName?, of device: DeviceID, at now: Timestamp
    ) throws(SyncFailure) -> [Saved] {
        guard var sync = store.sync else { throw .notStarted }
        guard device != sync.device else { throw .own }
        let former = sync.members.cuts
        var content: SyncFileContent
        do throws(SyncFileError) {
            let file = try SyncFile(bytes, name: name, group: sync.members.group, device: device)
            sync.members.insert(file.statements)
            let verified = try file.verified(by: sync.members)
            guard let key = sync.members.epochKey(file.header.epoch, of: sync.keys) else {
                throw .otherEpoch(file.header.epoch)
            }
            content = try verified.content(with: key)
        } catch { throw .file(error) }
        var saved: [Saved] = []
        if sync.members.cuts != former { saved += try apply(&sync, over: former, at: now) }
        while let operations = try next(&content) {
            saved += try vault { () throws(VaultError) in
                try store.write { transaction throws(VaultError) in
                    var merging = SyncTransaction(transaction, sync)
                    let saved = try merging.merge(operations, at: now)
                    transaction = merging.transaction
                    return saved
                }
            }
        }
        sync.progress.merged.note(content.summary)
        try save(sync, at: now)
        return saved
    }

    private func next(_ content: inout SyncFileContent) throws(SyncFailure) -> [SyncOperation]? {
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
    ) throws(VaultError) -> [Saved] {
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
        try slice.read([], arriving.ids.flatMap { arriving.logins(of: $0) }, from: records)
        let before = slice.state
        let changes = slice.state.merge(operations)
        // A user and a site may have come from two files.
        try slice.read([], changes.records.flatMap { slice.state.logins(of: $0) }, from: records)
        return try show(changes, &slice, before: before, at: now)
    }
}
