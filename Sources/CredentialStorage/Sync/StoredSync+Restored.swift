// SPDX-License-Identifier: Apache-2.0
package import Credentials
package import SyncFiles
package import SyncMerge
internal import VaultFormat

/// A vault that was restored or repaired. Its device id is a new one; the user decides what counts.
extension StoredSync {
    /// Whether nothing is published or merged until the user has decided.
    package var isRestored: Bool { store.sync?.progress.isRestored ?? false }

    /// What others have changed counts where it is newer.
    package func join(at now: Timestamp) throws(SyncFailure) {
        guard var sync = store.sync else { throw .notStarted }
        guard sync.progress.isRestored else { return }
        sync.progress.isRestored = false
        try save(sync, at: now)
    }

    /// What this vault shows counts: it is written again, later than all that these files have, and what it lacks is deleted. One
    /// transaction: before it nothing has changed. Throws `incomplete` where these files name others that are not among them: what those
    /// have would not be won over.
    ///
    /// - Parameters:
    ///   - files: all that are in the folder, those of this machine's former ids among them. Where
    ///     received files were settled, `SyncSpool.clearReceived` has the carrier bring them again first.
    ///   - acceptsMissing: whether those that are missing are not waited for. What they have counts where it is newer, if a machine
    ///     publishes it after all.
    package func win(
        over files: [ReceivedFile], acceptingMissing acceptsMissing: Bool = false, at now: Timestamp
    ) throws(SyncFailure) -> [Saved] {
        guard var sync = store.sync else { throw .notStarted }
        var operations: [SyncOperation] = []
        for file in files where file.device != sync.device {
            do throws(SyncFileError) {
                var content = try sync.content(of: file.bytes, name: file.name, file.device)
                while let next = try content.next() { operations += next }
                sync.progress.merged.note(content.summary)
                sync.progress.met[file.device] = SyncProgress.Met(name: content.deviceName, merged: now)
            } catch {
                // Anybody may have put a file there. What is newer than this program knows would not be won over, and what is of
                // those who do not know this machine neither.
                if case .newerFormat = error { throw .file(error) }
                if error == .notAMember(sync.device) { throw .notMember }
            }
        }
        let incomplete = acceptsMissing ? [] : sync.devices.filter { $0.missing > 0 }
        guard incomplete.isEmpty else { throw .incomplete(incomplete.map { $0.name ?? $0.id.hexadecimal }) }
        sync.progress.isRestored = false
        let (new, former) = (sync, store.sync?.cuts ?? [:])
        let saved = try vault { () throws(VaultError) in
            try store.write { transaction throws(VaultError) in
                transaction.isBulk = true
                var winning = SyncTransaction(transaction, new)
                try winning.catchUpAll(at: now)
                let saved = try winning.win(over: operations, cuts: former, at: now)
                transaction = winning.transaction
                try new.store(&transaction, at: now)
                return saved
            }
        }
        store.setSync(new)
        return saved
    }

    /// A file of the folder.
    package struct ReceivedFile: Sendable {
        package let bytes: [UInt8]
        package let name: SyncFileName?
        /// In whose directory it is.
        package let device: DeviceID

        package init(_ bytes: [UInt8], name: SyncFileName?, of device: DeviceID) {
            (self.bytes, self.name, self.device) = (bytes, name, device)
        }
    }
}

extension SyncTransaction {
    fileprivate mutating func win(
        over operations: [SyncOperation], cuts former: [DeviceID: UInt64], at now: Timestamp
    ) throws(VaultError) -> [Saved] {
        var slice = SyncSlice(cuts: former)
        let entries = try records.ids(in: StoredSyncEntry.scope(of: .record, key: records.key))
        try slice.read(entries.map { ObjectID(kind: .credential, high: $0.high, low: $0.low) }, from: records)
        for case .counter(let nonce, _, _) in operations { try slice.readCounter(nonce, from: records) }
        try keepOwn(&slice, under: sync.cuts, at: now)
        slice.state.setCuts(sync.cuts)
        let before = slice.state
        slice.state.merge(operations)
        var writer = SyncWriter(
            changing: slice.state, origin: sync.origin, now: now, entropy: StoreEntropy(store: records.store))
        writer.restore(before)
        slice.state = writer.state
        let ids = Set(slice.state.records.keys).union(before.records.keys)
        let nonces = Set(slice.state.counters.keys)
        let changes = MergeChanges(
            of: ids.filter { slice.state.records[$0] != before.records[$0] },
            counters: nonces.filter { slice.state.counters[$0] != before.counters[$0] })
        let saved = try show(changes, &slice, before: before, at: now)
        try publish(writer.operations, &slice, at: now)
        return saved
    }
}
