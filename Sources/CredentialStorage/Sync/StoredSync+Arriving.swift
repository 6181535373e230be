// SPDX-License-Identifier: Apache-2.0
package import Credentials
internal import SyncFiles
internal import SyncMerge

/// What the carrier has brought of other machines.
extension StoredSync {
    /// Merges the next file that the carrier has brought of another machine, and settles it: a file of at most `limit` bytes to its end,
    /// of a larger one the next batch. Called again while `hasMore`, by turns with other work.
    ///
    /// A file that cannot be merged yet is kept, and tried again when more statements are known. One that has more entries than are
    /// accepted is kept and reported, and not opened again. Another one that never can be merged is settled and counted. Where a
    /// machine has a newer autofilld, nothing is merged; what the files state of the group is taken over.
    ///
    /// - Parameters:
    ///   - arrivals: what the caller keeps between calls.
    ///   - limit: the size of a small file.
    ///   - entries: how many entries one file may have.
    ///   - note: called with the credentials of this vault that changed, also where this throws later.
    package func mergeArrived(
        _ arrivals: inout SyncArrivals, from spool: SyncSpool, at now: Timestamp, limit: Int = 64 << 10,
        upTo entries: Int = SyncFileLimits.entries, noting note: ([Saved]) -> Void = { _ in }
    ) throws(SyncFailure) -> ArrivedChanges {
        guard let sync = store.sync else { throw .notStarted }
        guard !sync.progress.isRestored else { throw .restored }
        if sync.progress.bringsAgain { try bringAgain(&arrivals, spool, at: now) }
        if arrivals.queue.isEmpty && arrivals.current == nil { scan(&arrivals, spool) }
        guard store.sync?.needsUpdate == false else {
            return try takeStatements(&arrivals, spool, at: now, noting: note)
        }
        var done = ArrivedChanges()
        if let file = arrivals.current?.file ?? arrivals.queue.last {
            done.hasMore = true
            try merge(file, &arrivals, spool, at: now, limit: limit, upTo: entries, noting: note)
        }
        // What is waiting may revoke the removal.
        if !done.hasMore {
            let limit = arrivals.limit.map { ArrivedChanges.Problem.limit($0) }
            done.problem = !isMember || arrivals.isUnknown ? .removed : limit
        }
        return done
    }

    /// Takes over what the next file states of the group, and merges nothing of it.
    private func takeStatements(
        _ arrivals: inout SyncArrivals, _ spool: SyncSpool, at now: Timestamp, noting note: ([Saved]) -> Void
    ) throws(SyncFailure) -> ArrivedChanges {
        arrivals.current = nil
        guard let file = arrivals.queue.last, let group = members?.group else {
            return ArrivedChanges(problem: isMember ? .update : .removed)
        }
        if let bytes = spool.readReceived(file.name, of: file.device, in: group) {
            note(try open(bytes, file.name, file.device, at: now).1)
        }
        wait(file, &arrivals)
        return ArrivedChanges(hasMore: true)
    }

    /// Has the carrier bring all again: what was merged is forgotten, or does not count any more.
    private func bringAgain(
        _ arrivals: inout SyncArrivals, _ spool: SyncSpool, at now: Timestamp
    ) throws(SyncFailure) {
        guard var progress = store.sync?.progress else { throw .notStarted }
        spool.clearReceived()
        progress.bringsAgain = false
        try save(progress, at: now)
        arrivals.mergeAllAgain()
    }

    /// Finds what was brought and not settled, but for what waits for statements that are not known yet, or has more than is accepted.
    private func scan(_ arrivals: inout SyncArrivals, _ spool: SyncSpool) {
        guard let sync = store.sync else { return }
        let group = sync.members.group
        var found: [SyncArrivals.ArrivedFile] = [], all: Set<SyncArrivals.ArrivedFile> = [], hasNewer = false
        for device in spool.devices(in: group) where device != sync.device {
            for name in spool.brought(of: device, in: group) {
                all.insert(SyncArrivals.ArrivedFile(name: name, device: device))
            }
            for name in spool.received(of: device, in: group) {
                found.append(SyncArrivals.ArrivedFile(name: name, device: device))
                let start = spool.readReceived(name, of: device, in: group, most: SyncFileHeader.formatByteCount)
                if let start, SyncFileHeader.isNewerFormat(start) { hasNewer = true }
            }
        }
        store.sync?.noted.hasNewerFile = hasNewer
        arrivals.malformed = spool.rejected(in: group)
        arrivals.keep(all)
        let present = Set(found), statements = sync.members.statements.count
        // What waited for an update does not any more.
        let wasNewer = sync.noted.hasNewerFile && !hasNewer
        arrivals.waiting = wasNewer ? [:] : arrivals.waiting.filter { present.contains($0.key) }
        // That of a machine that was removed is settled.
        arrivals.excessive = arrivals.excessive.filter { file, _ in
            present.contains(file) && sync.members.list.contains(file.device)
        }
        // The last is the next.
        arrivals.queue = found.filter { arrivals.excessive[$0] == nil && arrivals.waiting[$0] != statements }.reversed()
    }

    private func merge(
        _ file: SyncArrivals.ArrivedFile, _ arrivals: inout SyncArrivals, _ spool: SyncSpool, at now: Timestamp,
        limit: Int, upTo entries: Int, noting note: ([Saved]) -> Void
    ) throws(SyncFailure) {
        guard let group = members?.group else { throw .notStarted }
        do throws(SyncFailure) {
            var merging: Merging, isSmall = false
            if let current = arrivals.current {
                merging = current.merging
            } else {
                guard let bytes = spool.readReceived(file.name, of: file.device, in: group) else {
                    return wait(file, &arrivals)
                }
                isSmall = bytes.count <= limit
                let (opened, saved) = try open(bytes, file.name, file.device, at: now, upTo: entries)
                note(saved)
                switch opened {
                case .success(let new):
                    merging = new
                    let stated = store.sync?.progress.merged.statements[file.device]?[file.name.sequence]
                    arrivals.note(file.name, new.summary, stated: stated)
                case .failure(let error): return refuse(file, error, &arrivals, spool)
                }
            }
            repeat {
                guard let saved = try step(&merging, at: now) else { return settle(file, &arrivals, spool) }
                note(saved)
            } while isSmall
            arrivals.current = (file, merging)
        } catch {
            arrivals.current = nil
            // The file has stated that: the next call finds it.
            if error == .needsUpdate { return }
            guard case .file(let reason) = error else { throw error }
            refuse(file, reason, &arrivals, spool)
        }
    }

    private func settle(
        _ file: SyncArrivals.ArrivedFile, _ arrivals: inout SyncArrivals, _ spool: SyncSpool, isRejected: Bool = false
    ) {
        arrivals.finish(file)
        guard let group = members?.group,
            !spool.settle(file.name, of: file.device, in: group, isRejected: isRejected)
        else { return }
        wait(file, &arrivals)
    }

    private func wait(
        _ file: SyncArrivals.ArrivedFile, _ arrivals: inout SyncArrivals, for limit: SyncFailure.Limit? = nil
    ) {
        arrivals.finish(file)
        arrivals.waiting[file] = members?.statements.count ?? 0
        arrivals.excessive[file] = limit
    }

    private func refuse(
        _ file: SyncArrivals.ArrivedFile, _ reason: SyncFileError, _ arrivals: inout SyncArrivals, _ spool: SyncSpool
    ) {
        guard let group = members?.group else { return }
        if isMember, let device, reason == .notAMember(device) { arrivals.isUnknown = true }
        switch reason {
        case .notAMember, .otherEpoch, .newerFormat: wait(file, &arrivals)
        case .tooManyEntries: wait(file, &arrivals, for: .entries)
        // The copy is damaged, not the folder's file.
        case .hashDiffers:
            arrivals.finish(file)
            spool.bringAgain(file.name, of: file.device, in: group)
        case .removed: settle(file, &arrivals, spool)
        default: settle(file, &arrivals, spool, isRejected: true)
        }
    }
}
