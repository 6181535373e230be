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

    /// Merges what this machine has put out under former ids, draws a key where none counts, and merges what the folder has
    /// under this machine's id and the spool does not. Then copies the outbox out, also where some of that could not be merged,
    /// and writes what is due: a snapshot, also where the spool lost a file; or one file in place of sixteen. Then removes the
    /// files whose content others have that are in place, and settles what was merged, so that the carrier removes it. Where
    /// that changed anything, or this machine cannot have written it, a copy of this machine did: what is received stays, as
    /// another machine's; the outbox is removed, as the snapshot under the new id has its content. `removeFormer` has to
    /// follow. Where that snapshot cannot be written the former id stays, and what is sealed is put out under it: two files of
    /// one sequence are both merged, and others take no file of an id before a snapshot has admitted it.
    ///
    /// - Parameters:
    ///   - limit: how many records and counters a snapshot may have.
    ///   - note: called with the credentials that what is merged changes, also where this throws later.
    /// - Throws: `limit`, at the end, where a snapshot is due that would have more.
    @discardableResult
    package func tidy(
        _ spool: SyncSpool, at now: Timestamp, upTo limit: Int = SyncFileLimits.entries,
        noting note: ([Saved]) -> Void = { _ in }
    ) throws(SyncFailure) -> Tidied {
        guard isMember || !isStarted else { throw .notMember }
        var failure: SyncFailure?
        do throws(SyncFailure) { try mergeFormer(spool, at: now, noting: note) } catch { failure = error }
        try drawKeyIfNone(at: now)
        let sync = try decided
        let (device, group) = (sync.device, sync.members.group)
        let recorded = Set(sync.progress.files.map(\.name))
        // Those that this vault, an older copy of itself, has put out, and those that the folder has.
        let former = Set(spool.names(of: device, in: group)).subtracting(recorded)
        let received = spool.received(of: device, in: group)
        var isTwin = false, merged: Set<SyncFileName> = []
        for name in former.union(received).sorted(by: { $0.sequence < $1.sequence }) {
            let bytes =
                former.contains(name)
                ? spool.read(name, of: device, in: group) : spool.readReceived(name, of: device, in: group)
            guard let bytes else { continue }
            do throws(SyncFailure) {
                guard let isOfTwin = try mergeOwn(bytes, name, at: now, noting: note) else { continue }
                isTwin = isTwin || isOfTwin
                merged.insert(name)
            } catch { failure = failure ?? error }
        }
        // What was merged may state that it was removed.
        guard isMember else { throw .notMember }
        if isTwin {
            failure = failure ?? obstacle(at: now, upTo: limit)
            guard failure != nil else {
                try renew(at: now)
                try writeSnapshot(to: spool, at: now, upTo: limit)
                store.sync?.noted.former.formUnion(recorded.union(merged))
                return .renewed
            }
        }
        try publish(to: spool)
        switch failure {
        case nil, .limit?: break
        case let failure?: throw failure
        }
        let lost = recorded.subtracting(spool.names(of: device, in: group))
        let (done, excess) = try writeDue(spool, lost: lost, at: now, upTo: limit)
        // Others have what is merged by these files until a snapshot, of a new id where a copy wrote one, has it.
        let settled = excess == nil && failure == nil ? merged : []
        for name in settled.intersection(received) { spool.settle(name, of: device, in: group) }
        try remove(former.intersection(settled), lost: lost, spool, at: now)
        if let excess { throw .limit(excess) }
        if let failure { throw failure }
        return done
    }

    /// What this machine has put out under former ids, and not removed since.
    package func formerFiles(in spool: SyncSpool) -> [ReceivedFile] {
        guard let sync = store.sync else { return [] }
        return Self.formerNames(of: sync, in: spool).compactMap { device, name in
            spool.read(name, of: device, in: sync.members.group).map { ReceivedFile($0, name: name, of: device) }
        }
    }

    private static func formerNames(of sync: VaultSync, in spool: SyncSpool) -> [(device: DeviceID, name: SyncFileName)]
    {
        sync.formerKeys.map(\.publicKeys.device).flatMap { device in
            spool.names(of: device, in: sync.members.group).map { (device, $0) }
        }
    }

    /// Merges it: after a restore this vault may lack what no carrier has brought.
    private func mergeFormer(
        _ spool: SyncSpool, at now: Timestamp, noting note: ([Saved]) -> Void
    ) throws(SyncFailure) {
        var read: Int?
        // One may state what another one needs to be opened.
        while let sync = store.sync, !sync.needsUpdate, sync.members.statements.count != read {
            read = sync.members.statements.count
            for (device, name) in Self.formerNames(of: sync, in: spool) where !sync.noted.former.contains(name) {
                guard let bytes = spool.read(name, of: device, in: sync.members.group) else { continue }
                let (opened, saved) = try open(bytes, name, device, at: now)
                note(saved)
                guard store.sync?.needsUpdate == false else { return }
                guard case .success(var merging) = opened else { continue }
                merging.needsSnapshot = true
                do throws(SyncFailure) { while let saved = try step(&merging, at: now) { note(saved) } } catch {
                    guard case .file = error else { throw error }
                }
                store.sync?.noted.former.insert(name)
            }
        }
    }

    /// Removes from the spool what this machine put out under former ids, once a snapshot under the present one has its content. A file
    /// that was not merged, as it may only become readable, stays. To be called after `tidy` without a failure, and when the carrier's
    /// order has the present id: by an earlier one it removes from the folder what the spool has no more.
    package func removeFormer(from spool: SyncSpool) {
        guard let sync = store.sync, !sync.needsUpdate, sync.progress.files.contains(where: \.name.isSnapshot) else {
            return
        }
        let group = sync.members.group
        for former in sync.formerKeys.map(\.publicKeys.device) {
            var isEmpty = true
            for name in spool.names(of: former, in: group) {
                if sync.noted.former.contains(name)
                    || sync.neverOpens(spool.read(name, of: former, in: group), name, former)
                {
                    spool.remove(name, of: former, in: group)
                } else {
                    isEmpty = false
                }
            }
            if isEmpty { spool.removeAll(of: former, in: group) }
        }
    }

    /// Why no snapshot under a new id can be written; nil where one can.
    private func obstacle(at now: Timestamp, upTo limit: Int) -> SyncFailure? {
        do throws(SyncFailure) {
            let excess = try self.excess(at: now) { () throws(SyncFailure) in
                _ = try sealSnapshot(at: now, upTo: limit)
            }
            return excess.map { .limit($0) }
        } catch {
            // The new id draws a key, and begins with the first sequence.
            return error == .keys || error == .noSequence ? nil : error
        }
    }

    /// Returns also what a snapshot that is due would have too much of: then files are joined as if none were due.
    private func writeDue(
        _ spool: SyncSpool, lost: Set<SyncFileName>, at now: Timestamp, upTo limit: Int
    ) throws(SyncFailure) -> (Tidied, excess: SyncFailure.Limit?) {
        var done = Tidied.nothing, excess: SyncFailure.Limit?
        while true {
            let sync = try decided
            var events = OwnFiles.Events(lastSnapshot: lost.isEmpty ? sync.progress.lastSnapshot : nil)
            events.basisChanged = sync.basis != sync.progress.snapshotBasis
            events.isExcessive = excess != nil
            switch OwnFiles(sync.progress.files).due(events, at: now) {
            case nil: return (done, excess)
            case .snapshot:
                excess = try self.excess(at: now) { () throws(SyncFailure) in
                    _ = try writeSnapshot(to: spool, at: now, upTo: limit)
                }
                if excess == nil { return (.snapshot, nil) }
            case .join(let files):
                guard try join(files, spool, at: now) else { return (done, excess) }
                // The joined file may be the sixteenth of its size.
                done = .joined
            }
        }
    }

    /// How long a snapshot that would have too much is not tried again while the vault is unlocked, in milliseconds: all is compared for
    /// it.
    private static let excessPause: Int64 = 3_600_000

    /// Writes or seals a snapshot. Returns what it would have too much of; nil where that is done.
    private func excess(
        at now: Timestamp, _ snapshot: () throws(SyncFailure) -> Void
    ) throws(SyncFailure) -> SyncFailure.Limit? {
        if let noted = store.sync?.noted.excess,
            (0..<Self.excessPause).contains(now.milliseconds &- noted.found.milliseconds)
        {
            return noted.limit
        }
        do throws(SyncFailure) { try snapshot() } catch {
            guard case .limit(let limit) = error else { throw error }
            store.sync?.noted.excess = (limit, now)
            return limit
        }
        return nil
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

    /// Removes what others of the own files cover that are in place, and former own files that came back. The list is changed first: a
    /// file that is not in it is removed at the next time.
    private func remove(
        _ former: Set<SyncFileName>, lost: Set<SyncFileName>, _ spool: SyncSpool, at now: Timestamp
    ) throws(SyncFailure) {
        var sync = try decided
        let files = OwnFiles(sync.progress.files), present = OwnFiles(files.files.filter { !lost.contains($0.name) })
        let superseded = Set(present.superseded + files.superseded.filter { lost.contains($0.name) })
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
        _ bytes: [UInt8], _ name: SyncFileName, at now: Timestamp, noting note: ([Saved]) -> Void
    ) throws(SyncFailure) -> Bool? {
        let sync = try decided
        guard !sync.needsUpdate else { return nil }
        var merging: Merging
        let (opened, saved) = try open(bytes, name, sync.device, at: now)
        note(saved)
        switch opened {
        case .success(let opened):
            merging = opened
            merging.needsSnapshot = true
        case .failure(.removed): return false
        case .failure(let error): return error.mayBecomeReadable ? nil : false
        }
        guard store.sync?.needsUpdate == false else { return nil }
        do throws(SyncFailure) {
            while let saved = try step(&merging, at: now) { note(saved) }
        } catch {
            guard case .file(let reason) = error else { throw error }
            // What follows cannot be read.
            if !merging.isChanged { return reason.mayBecomeReadable ? nil : false }
        }
        return merging.isChanged || !sync.progress.mayHaveWritten(merging.summary, hash: name.hash)
    }

    private func renew(at now: Timestamp) throws(SyncFailure) {
        let sync = try decided
        var new: VaultSync
        do throws(KeyFailure) { new = try sync.renewed(using: &store.entropy) } catch { throw .keys }
        new.progress.isRestored = false
        let renewed = new
        try vault { () throws(VaultError) in
            try store.write { transaction throws(VaultError) in try renewed.replaceFormer(&transaction, at: now) }
        }
        store.setSync(renewed)
        store.sync?.noted.outbox = 0
    }
}

extension VaultSync {
    /// Whether a file that this machine put out under a former id can never be merged; false where it cannot be read.
    fileprivate func neverOpens(_ bytes: [UInt8]?, _ name: SyncFileName, _ former: DeviceID) -> Bool {
        guard let bytes else { return false }
        var sync = self
        do throws(SyncFileError) { _ = try sync.content(of: bytes, name: name, former) } catch {
            return error == .removed(former) || !error.mayBecomeReadable
        }
        return false
    }
}
