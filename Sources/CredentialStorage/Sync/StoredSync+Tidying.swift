// SPDX-License-Identifier: Apache-2.0
package import Credentials
internal import SyncFiles
internal import SyncMerge
internal import VaultFormat

/// This machine's own directory.
extension StoredSync {
    /// What was done with the own directory.
    package enum Tidied: Sendable {
        case nothing, snapshot, joined
        /// Something else writes under this machine's id: this one has a new id.
        case renewed
    }

    /// Copies the outbox out, and writes what is due: a snapshot, also where the folder lost a file; or one file in place of
    /// sixteen. Then removes the files whose content others have that are in place. Files of this machine's id that this vault did not
    /// write are merged: where one changes anything, a copy of this machine wrote it.
    @discardableResult
    package func tidy(_ spool: SyncSpool, at now: Timestamp) throws(SyncFailure) -> Tidied {
        try publish(to: spool)
        let sync = try decided
        let present = Set(spool.names(of: sync.device, in: sync.members.group))
        let known = Set(sync.progress.files.map(\.name))
        let unknown = present.subtracting(known)
        var isTwin = false
        for name in unknown where try mergeOwn(name, in: spool, at: now) { isTwin = true }
        if isTwin {
            try renew(at: now)
            try writeSnapshot(to: spool, at: now)
            return .renewed
        }
        let done = try writeDue(spool, lost: known.subtracting(present), at: now)
        try remove(unknown, spool, at: now)
        return done
    }

    private func writeDue(
        _ spool: SyncSpool, lost: Set<SyncFileName>, at now: Timestamp
    ) throws(SyncFailure) -> Tidied {
        let sync = try decided
        var events = OwnFiles.Events(lastSnapshot: lost.isEmpty ? sync.progress.lastSnapshot : nil)
        events.epochChanged = sync.basis != sync.progress.snapshotBasis
        switch OwnFiles(sync.progress.files).due(events, at: now) {
        case nil: return .nothing
        case .snapshot:
            try writeSnapshot(to: spool, at: now)
            return .snapshot
        case .join(let files):
            try join(files, spool, at: now)
            return .joined
        }
    }

    private func join(_ files: [OwnFiles.OwnFile], _ spool: SyncSpool, at now: Timestamp) throws(SyncFailure) {
        var sync = try decided
        guard let writer = sync.writer else { throw .keys }
        var contents: [SyncFileContent] = []
        for file in files {
            guard let bytes = spool.read(file.name, of: sync.device, in: sync.members.group) else { return }
            contents.append(try sync.content(of: bytes, name: file.name, sync.device))
        }
        let joined: WrittenSyncFile?
        do throws(SyncFileWriter.JoinFailure) { joined = try writer.joined(contents, using: &store.entropy) } catch {
            throw .keys
        }
        guard let joined, let first = files.first, let last = files.last else { return }
        sync.progress.files.append(
            OwnFiles.OwnFile(
                name: joined.name, range: first.range.lowerBound...last.range.upperBound,
                byteCount: joined.bytes.count))
        try save(sync, at: now)
        try vault { () throws(VaultError) in
            try spool.write(joined.name, joined.bytes, of: sync.device, in: sync.members.group)
        }
    }

    /// Removes what others of the own files cover, and former own files that came back. The list is changed first: a file that is not
    /// in it is removed at the next time.
    private func remove(
        _ former: Set<SyncFileName>, _ spool: SyncSpool, at now: Timestamp
    ) throws(SyncFailure) {
        var sync = try decided
        let superseded = Set(OwnFiles(sync.progress.files).superseded)
        if !superseded.isEmpty {
            sync.progress.files.removeAll { superseded.contains($0) }
            try save(sync, at: now)
        }
        for name in former.union(superseded.map(\.name)) {
            spool.remove(name, of: sync.device, in: sync.members.group)
        }
    }

    /// Merges a file of this machine's id. Returns whether it changed anything; false also for one that cannot be read.
    private func mergeOwn(
        _ name: SyncFileName, in spool: SyncSpool, at now: Timestamp
    ) throws(SyncFailure) -> Bool {
        let sync = try decided
        guard let bytes = spool.read(name, of: sync.device, in: sync.members.group) else { return false }
        var merging: Merging
        do throws(SyncFailure) { merging = try open(bytes, name, sync.device, at: now).0 } catch {
            guard case .file = error else { throw error }
            return false
        }
        while try step(&merging, at: now) != nil {}
        return merging.isChanged
    }

    private func renew(at now: Timestamp) throws(SyncFailure) {
        let sync = try decided
        var new: VaultSync
        do throws(KeyFailure) { new = try sync.renewed(using: &store.entropy) } catch { throw .keys }
        new.progress.isRestored = false
        try save(new, at: now)
    }
}
