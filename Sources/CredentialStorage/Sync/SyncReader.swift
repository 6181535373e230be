// SPDX-License-Identifier: Apache-2.0
internal import Credentials
internal import SyncFiles
internal import SyncMerge
internal import VaultFormat

/// Reads what sync stores.
struct SyncReader {
    let records: RecordView

    private var key: KeyedHash { records.key }

    /// What one of this machine's files, which covers these sequences, publishes.
    func operations(
        of device: DeviceID, in range: ClosedRange<UInt64>
    ) throws(VaultError) -> [SyncOperation] {
        var operations: [SyncOperation] = []
        for sequence in range {
            var cursor: ObjectID?
            repeat {
                let tag = StoredSyncEntry.published(in: sequence, key: key)
                let page = try records.ids(withAll: [tag], after: cursor, limit: 256)
                for id in page.elements {
                    operations += try self.operations(of: id).filter {
                        $0.origin.device == device && range.contains($0.origin.sequence)
                    }
                }
                cursor = page.next
            } while cursor != nil
        }
        return operations
    }

    /// Everything that was merged. Throws where the manifest states something that is not there: a repair may have failed, and what a
    /// snapshot would lack has to stay in the files that it replaces.
    func state(cuts: [DeviceID: UInt64]) throws(VaultError) -> SyncState {
        var present: Set<ObjectID> = []
        for form in [StoredSyncEntry.Form.record, .counter, .file] {
            present.formUnion(try records.ids(in: StoredSyncEntry.scope(of: form, key: key)))
        }
        try eachEntry(of: .sync) { entry throws(VaultError) in
            guard present.contains(entry.id) else { throw .damaged("vault") }
        }
        var state = SyncState()
        state.setCuts(cuts)
        for form in [StoredSyncEntry.Form.record, .counter] {
            for id in try records.ids(in: StoredSyncEntry.scope(of: form, key: key)) {
                state.merge(try operations(of: id))
            }
        }
        return state
    }

    /// The last sequence of a device of which something is stored; 0: nothing is.
    func greatestSequence(of device: DeviceID) throws(VaultError) -> UInt64 {
        var last: UInt64 = 0
        for form in [StoredSyncEntry.Form.record, .counter] {
            for id in try records.ids(in: StoredSyncEntry.scope(of: form, key: key)) {
                for operation in try operations(of: id) where operation.origin.device == device {
                    last = max(last, operation.origin.sequence)
                }
            }
        }
        return last
    }

    /// A credential that is not stamped yet, and the greatest version that its id is known to have had; nil for others. One that has
    /// come back after its id was purged has no stamps, whatever its version is.
    func unstamped(_ id: ObjectID) throws(VaultError) -> (row: Credential, greatestVersion: UInt64)? {
        guard let row: Credential = try records.fetch(id) else { return nil }
        let entry: StoredSyncEntry? = try records.fetch(SyncSlice.entry(of: id))
        let greatest = entry?.greatestVersion ?? 0
        return row.version > greatest || entry?.shown == nil ? (row, greatest) : nil
    }

    /// All that the manifest states of one kind, by bucket.
    func eachEntry(
        of kind: ObjectID.Kind, _ body: (ManifestEntry) throws(VaultError) -> Void
    ) throws(VaultError) {
        for index in 0..<ManifestBucket.count {
            let bucket = try records.unlocked.manifest?.bucket(
                index, records.statements, key: records.unlocked.keys.manifest)
            for entry in bucket?.entries ?? [] where entry.id.kind == kind { try body(entry) }
        }
    }

    /// What an entry has.
    private func operations(of id: ObjectID) throws(VaultError) -> [SyncOperation] {
        guard let entry: StoredSyncEntry = try records.fetch(id), entry.form != .file,
            let operations = StoredOperations.operations(in: entry.content)
        else { throw .recordDamaged(id) }
        return operations
    }

    /// The ids of all credentials, deleted or not.
    func credentialIDs() throws(VaultError) -> [ObjectID] {
        let first = ObjectID(kind: .credential, high: 0, low: 0),
            last = ObjectID(kind: .credential, high: .max, low: .max)
        return try records.statements.records.tagsOfKind.all(.bytes(first.stored), .bytes(last.stored)) {
            row throws(VaultError) in ObjectID(stored: row.bytes(0))
        }.compactMap { $0 }
    }
}
