// SPDX-License-Identifier: Apache-2.0
package import Credentials
internal import SecretMemory
package import SyncFiles
internal import SyncMerge
internal import VaultFormat

/// This machine's files: what changed is sealed into one, whose bytes are committed and then copied out, so that a crash publishes
/// the same bytes again.
extension StoredSync {
    /// Seals what changed since the last file, and commits it to the outbox. Returns its name; nil where nothing changed.
    @discardableResult
    package func sealChanges(at now: Timestamp) throws(SyncFailure) -> SyncFileName? {
        try catchUp(at: now)
        try drawKeyIfNone(at: now)
        var sync = try decided
        let (range, device) = (sync.progress.range, sync.device)
        let operations = try vault { () throws(VaultError) in
            try store.read { records throws(VaultError) in
                try SyncReader(records: records).operations(of: device, in: range)
            }
        }
        let statements = sync.members.statements.filter { statement in
            statement.signer == .device(device) && range.contains(statement.sequence)
        }
        guard !operations.isEmpty || !statements.isEmpty else {
            store.sync?.noted.isStamped = false
            return nil
        }
        guard SyncFileLimits.sequences.contains(range.upperBound) else { throw .noSequence }
        guard let writer = sync.writer else { throw isMember ? .keys : .notMember }
        let file: WrittenSyncFile
        do throws(KeyFailure) {
            file = try writer.delta(
                range, operations, vector: sync.progress.merged.vector(of: device, at: range.upperBound),
                statements: statements, using: &store.entropy)
        } catch { throw .keys }
        sync.progress.covered = range.upperBound
        sync.progress.next = range.upperBound + 1
        sync.progress.files.append(
            OwnFiles.OwnFile(name: file.name, range: range, byteCount: file.bytes.count))
        var entry = StoredSyncEntry(
            id: store.newID(.sync), form: .file, content: SecretBytes(copying: file.bytes, count: file.bytes.count),
            changed: now)
        entry.sequence = range.upperBound
        let (stored, progress) = (entry, sync.progress.stored)
        try vault { () throws(VaultError) in
            try store.write { transaction throws(VaultError) in
                try transaction.insert(stored)
                try transaction.setSetting(VaultSync.progressSetting, to: progress, at: now)
            }
        }
        store.sync?.progress = sync.progress
        store.sync?.noted.isStamped = false
        store.sync?.noted.outbox += 1
        return file.name
    }

    /// The files that are committed and not known to be copied out, the oldest first.
    package func outbox() throws(SyncFailure) -> [(name: SyncFileName, bytes: [UInt8])] {
        try entriesInOutbox().map {
            (SyncFileName(of: $0.fileBytes, sequence: $0.sequence, isSnapshot: false), $0.fileBytes)
        }
    }

    /// Copies the outbox out, and empties it.
    package func publish(to spool: SyncSpool) throws(SyncFailure) {
        let sync = try decided
        for entry in try entriesInOutbox() {
            let bytes = entry.fileBytes
            try vault { () throws(VaultError) in
                try spool.write(
                    SyncFileName(of: bytes, sequence: entry.sequence, isSnapshot: false), bytes, of: sync.device,
                    in: sync.members.group)
                try store.write { transaction throws(VaultError) in try transaction.remove(entry) }
            }
            store.sync?.noted.outbox -= 1
        }
    }

    /// Writes a snapshot of everything. Its bytes are not committed: its sequence and its name are committed first, so that no other file
    /// ever has it, and one that was not written is noticed.
    ///
    /// - Parameter limit: how many records and counters it may have: others would not merge it.
    /// - Throws: `limit`, or that the vault lacks some of them, before a sequence is taken.
    @discardableResult
    package func writeSnapshot(
        to spool: SyncSpool, at now: Timestamp, upTo limit: Int = SyncFileLimits.entries
    ) throws(SyncFailure) -> SyncFileName {
        let file = try sealSnapshot(at: now, upTo: limit)
        var sync = try decided
        let sequence = sync.progress.next
        sync.progress.next = sequence + 1
        sync.progress.files.append(
            OwnFiles.OwnFile(name: file.name, range: 1...sequence, byteCount: file.bytes.count))
        try save(sync.progress, at: now)
        try vault { () throws(VaultError) in
            try spool.write(file.name, file.bytes, of: sync.device, in: sync.members.group)
        }
        sync.progress.covered = sequence
        sync.progress.lastSnapshot = now
        sync.progress.snapshotBasis = sync.basis
        try save(sync.progress, at: now)
        store.sync?.noted.isStamped = false
        store.sync?.noted.excess = nil
        return file.name
    }

    /// A snapshot with the next sequence, which is not taken. Throws as `writeSnapshot` does.
    func sealSnapshot(at now: Timestamp, upTo limit: Int) throws(SyncFailure) -> WrittenSyncFile {
        try catchUp(at: now, always: true)
        let sync = try decided
        guard let writer = sync.writer else { throw isMember ? .keys : .notMember }
        let sequence = sync.progress.next
        guard SyncFileLimits.sequences.contains(sequence) else { throw .noSequence }
        let cuts = sync.members.cuts
        let state = try vault { () throws(VaultError) in
            try store.read { records throws(VaultError) in try SyncReader(records: records).state(cuts: cuts) }
        }
        let count = state.counters.values.reduce(state.records.count) { $0 + $1.count }
        guard count <= limit else { throw .limit(.entries) }
        let file: WrittenSyncFile
        do throws(KeyFailure) {
            file = try writer.snapshot(
                sequence, state, vector: sync.progress.merged.vector(of: sync.device, at: sequence),
                statements: sync.members.statements, using: &store.entropy)
        } catch { throw .keys }
        guard file.bytes.count <= SyncFileLimits.fileBytes else { throw .limit(.bytes) }
        return file
    }

    private func entriesInOutbox() throws(SyncFailure) -> [StoredSyncEntry] {
        try vault { () throws(VaultError) in
            try store.read { records throws(VaultError) -> [StoredSyncEntry] in
                try records.fetchAll(in: StoredSyncEntry.scope(of: .file, key: records.key))
            }
        }.sorted { $0.sequence < $1.sequence }
    }
}

extension StoredSyncEntry {
    fileprivate var fileBytes: [UInt8] { content.withUnsafeBytes { Array($0) } }
}
