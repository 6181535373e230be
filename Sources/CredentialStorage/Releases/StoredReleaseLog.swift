// SPDX-License-Identifier: Apache-2.0
package import Credentials
internal import SecretMemory
internal import VaultFormat

/// The record of every secret that left the vault. See `StoredReleaseReader` for reading it.
package final class StoredReleaseLog {
    private let store: RecordStore
    /// When the age of the oldest entry was checked last.
    private var lastAgeCheck: Timestamp?

    private static let ageCheckInterval: Int64 = 3_600_000
    /// How many times of last use one sync writes at most, so that a turn of the event loop stays short.
    static let usesPerSync = 8

    init(_ store: RecordStore) { self.store = store }

    /// Puts a release on record before its answer is sent: `append` and `commit` in one.
    ///
    /// - Parameter id: the credential that is returned, whose time of last use becomes that of the release: in memory now, in the
    ///   file with `sync`.
    package func record(_ release: Release, usedNow id: ObjectID? = nil) throws(VaultError) {
        let unlocked = try store.unlocked
        try append(release, to: unlocked)
        try unlocked.releases.commit()
        if let id { unlocked.orders.noteUse(of: id, at: release.time) }
    }

    /// Seals an entry into memory; `commit` makes it survive the end of the process.
    package func append(_ release: Release) throws(VaultError) { try append(release, to: store.unlocked) }

    private func append(_ release: Release, to unlocked: UnlockedVault) throws(VaultError) {
        // Only the entries need capacity: the times of last use can wait.
        if !unlocked.releases.hasCapacity { try sync(at: nil, uses: 0) }
        try unlocked.releases.append(
            release, generation: unlocked.generation, key: unlocked.keys.releases, using: &store.entropy)
    }

    /// Writes what was appended with one write and without fsync. Call it before the answer is sent. After an error the answer must
    /// not be sent, and what was appended since the last call is not on record. Works while the disk is full, until the allocated
    /// space is used up.
    package func commit() throws(VaultError) {
        try store.unlockedVault?.releases.commit()
    }

    /// Whether something waits for `sync`.
    package var hasUnsynced: Bool {
        guard let unlocked = store.unlockedVault else { return false }
        return !unlocked.releases.pending.isEmpty || !unlocked.orders.uses.isEmpty
    }

    /// Makes all entries, and some of the times of last use, durable in one commit. Call it within a second of the first that
    /// waits, and again while `hasUnsynced`. Drops entries that are too old or too many.
    ///
    /// For another thread than the event loop's: after an unlock it reads a page of each row, in up to a tenth of a second. Until then
    /// nothing is dropped for the size of the log.
    ///
    /// - Parameter now: of the steady clock; see `PurgeClock`.
    package func sync(at now: Timestamp) throws(VaultError) {
        let journal = try store.unlocked.releases
        if journal.storedBytes == nil {
            // Damaged pages are reported by a check.
            journal.storedBytes = try? store.file.openDatabase.statements.releases.bytes.first { row in
                Int(row.integer(0))
            }
        }
        try sync(at: now, uses: Self.usesPerSync)
    }

    /// Does the same without waiting for the disk.
    ///
    /// - Returns: what makes it durable on another thread, to be passed to `finish` afterwards; nil where nothing is to be done.
    package func store(at now: Timestamp) throws(VaultError) -> BackgroundSync? {
        try sync(at: now, uses: Self.usesPerSync, isDurable: store.file.database?.log?.isOpen != true)
        return store.backgroundSync
    }

    /// Records the change that was made durable, unless a later one is recorded already. Call it while nothing else uses the vault.
    package func finish(_ sync: BackgroundSync) { store.finish(sync) }

    /// - Parameters:
    ///   - now: nil where no entry is dropped for its age.
    ///   - limit: how many times of last use are written at most.
    ///   - isDurable: also of what `store` has written before.
    func sync(at now: Timestamp?, uses limit: Int, isDurable: Bool = true) throws(VaultError) {
        let unlocked = try store.unlocked
        let journal = unlocked.releases
        let uses = unlocked.orders.uses.prefix(limit)
        guard !journal.pending.isEmpty || !uses.isEmpty else {
            guard isDurable, let sync = store.backgroundSync else { return }
            try sync.run()
            return store.finish(sync)
        }
        guard unlocked.manifest != nil else {
            // Without a manifest the entries are kept all the same; `repair` derives the head from them.
            try store.file.openDatabase.write { statements throws(VaultError) in
                try journal.insert(into: statements)
            }
            unlocked.orders.uses = [:]
            return journal.drained()
        }
        let age = try now.flatMap { now throws(VaultError) in try self.age(at: now) }
        try store.write(
            inAnyFormat: true, isDurable: isDurable, releases: ReleaseStoring(horizon: age?.horizon, isNeeded: true)
        ) { transaction throws(VaultError) in
            for (id, time) in uses {
                // A damaged credential has no time of use, and must not keep the entries from the file.
                _ = try RecordView.intact { () throws(VaultError) in try transaction.writeUse(of: id, at: time) }
            }
        }
        for (id, _) in uses { unlocked.orders.uses[id] = nil }
        // The next process continues from it, whatever its clock shows and whatever this one has put on record.
        if let now, let age { try? store.keep(purgeTime: age.time, at: now) }
    }

    /// The time before which entries are too old, by a clock that nobody can set forward, and the time of that clock; nil where none
    /// can be, and within an hour of the last check.
    private func age(at now: Timestamp) throws(VaultError) -> (horizon: Timestamp, time: Timestamp)? {
        let sinceCheck = lastAgeCheck.map { now.milliseconds - $0.milliseconds }
        if let sinceCheck, (0...Self.ageCheckInterval).contains(sinceCheck) { return nil }
        let oldest = try store.read { records throws(VaultError) in try records.timeOfRelease(fromTheEnd: false) }
        let time = try store.purgeTime(at: now)
        lastAgeCheck = now
        let limit = store.limits.releaseMilliseconds
        guard let oldest, oldest < now.advanced(byMilliseconds: -limit) else { return nil }
        // Entries have the time of the system clock: none goes early by a clock for removal that is ahead of it.
        return (min(time, now).advanced(byMilliseconds: -limit), time)
    }
}

extension RecordTransaction {
    /// The same version under a new tag: a use is no change.
    fileprivate mutating func writeUse(of id: ObjectID, at time: Timestamp) throws(VaultError) {
        guard let old: Credential = try records.fetch(id), old.lastUsed.map({ $0 < time }) ?? true else { return }
        var new = old
        new.lastUsed = time
        try replace(old, with: new)
    }
}
