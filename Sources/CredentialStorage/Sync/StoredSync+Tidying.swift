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

    /// Draws a key where none counts, copies the outbox out, and writes what is due: a snapshot, also where the spool lost a file; or
    /// one file in place of sixteen. Then removes the files whose content others have that are in place. What the folder has under this
    /// machine's id and the spool does not is merged, and then settled, so that the carrier removes it. Where it changes anything, or this
    /// machine cannot have written it, a copy of this machine did: what is received stays, as another machine's; what was put out under
    /// the former id is removed, as the snapshot under the new id has its content.
    @discardableResult
    package func tidy(_ spool: SyncSpool, at now: Timestamp) throws(SyncFailure) -> Tidied {
        guard isMember || !isStarted else { throw .notMember }
        try drawKeyIfNone(at: now)
        try publish(to: spool)
        let sync = try decided
        let (device, group) = (sync.device, sync.members.group)
        let present = Set(spool.names(of: device, in: group))
        let known = Set(sync.progress.files.map(\.name))
        // Those that this vault, an older copy of itself, has put out, and those that the folder has.
        let (former, received) = (present.subtracting(known), spool.received(of: device, in: group))
        var isTwin = false, merged: Set<SyncFileName> = []
        for name in former.union(received).sorted(by: { $0.sequence < $1.sequence }) {
            let bytes =
                former.contains(name)
                ? spool.read(name, of: device, in: group) : spool.readReceived(name, of: device, in: group)
            guard let bytes, let isOfTwin = try mergeOwn(bytes, name, at: now) else { continue }
            isTwin = isTwin || isOfTwin
            merged.insert(name)
        }
        if isTwin {
            try renew(at: now)
            try writeSnapshot(to: spool, at: now)
            for name in known.union(former.intersection(merged)) { spool.remove(name, of: device, in: group) }
            return .renewed
        }
        let done = try writeDue(spool, lost: known.subtracting(present), at: now)
        for name in merged.intersection(received) { spool.settle(name, of: device, in: group) }
        try remove(former.intersection(merged), spool, at: now)
        removeEndedIDs(from: spool)
        return done
    }

    /// Removes from the spool what former ids put out that are no members any more, once a snapshot has their content.
    private func removeEndedIDs(from spool: SyncSpool) {
        guard let sync = store.sync, sync.progress.files.contains(where: \.name.isSnapshot) else { return }
        for former in sync.formerKeys.map(\.publicKeys.device) where !sync.members.list.contains(former) {
            spool.removeAll(of: former, in: sync.members.group)
        }
    }

    private func writeDue(
        _ spool: SyncSpool, lost: Set<SyncFileName>, at now: Timestamp
    ) throws(SyncFailure) -> Tidied {
        var done = Tidied.nothing
        while true {
            let sync = try decided
            var events = OwnFiles.Events(lastSnapshot: lost.isEmpty ? sync.progress.lastSnapshot : nil)
            events.epochChanged = sync.basis != sync.progress.snapshotBasis
            switch OwnFiles(sync.progress.files).due(events, at: now) {
            case nil: return done
            case .snapshot:
                try writeSnapshot(to: spool, at: now)
                return .snapshot
            case .join(let files):
                guard try join(files, spool, at: now) else { return done }
                // The joined file may be the sixteenth of its size.
                done = .joined
            }
        }
    }

    /// Returns whether it did.
    private func join(_ files: [OwnFiles.OwnFile], _ spool: SyncSpool, at now: Timestamp) throws(SyncFailure) -> Bool {
        var sync = try decided
        guard let writer = sync.writer else { throw isMember ? .keys : .notMember }
        var contents: [SyncFileContent] = []
        for file in files {
            guard let bytes = spool.read(file.name, of: sync.device, in: sync.members.group) else { return false }
            do throws(SyncFileError) {
                contents.append(try sync.content(of: bytes, name: file.name, sync.device))
            } catch { throw .file(error) }
        }
        let joined: WrittenSyncFile?
        do throws(SyncFileWriter.JoinFailure) { joined = try writer.joined(contents, using: &store.entropy) } catch {
            throw .keys
        }
        guard let joined, let first = files.first, let last = files.last else { return false }
        sync.progress.files.append(
            OwnFiles.OwnFile(
                name: joined.name, range: first.range.lowerBound...last.range.upperBound,
                byteCount: joined.bytes.count))
        try save(sync, at: now)
        try vault { () throws(VaultError) in
            try spool.write(joined.name, joined.bytes, of: sync.device, in: sync.members.group)
        }
        return true
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

    /// Merges a file of this machine's id. Returns whether a copy of this machine wrote it; nil for one that may become readable.
    private func mergeOwn(
        _ bytes: [UInt8], _ name: SyncFileName, at now: Timestamp
    ) throws(SyncFailure) -> Bool? {
        let sync = try decided
        guard !sync.needsUpdate else { return nil }
        var merging: Merging
        switch try open(bytes, name, sync.device, at: now).0 {
        case .success(let opened): merging = opened
        case .failure(.removed): return false
        case .failure(let error): return error.mayBecomeReadable ? nil : false
        }
        guard store.sync?.needsUpdate == false else { return nil }
        while try step(&merging, at: now) != nil {}
        return merging.isChanged || !sync.progress.mayHaveWritten(merging.summary, hash: name.hash)
    }

    private func renew(at now: Timestamp) throws(SyncFailure) {
        let sync = try decided
        var new: VaultSync
        do throws(KeyFailure) { new = try sync.renewed(using: &store.entropy) } catch { throw .keys }
        new.progress.isRestored = false
        try save(new, at: now)
    }
}
