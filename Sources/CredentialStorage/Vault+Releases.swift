// SPDX-License-Identifier: Apache-2.0
package import Credentials
internal import SecretMemory

/// An entry of the record of releases and its number.
package struct NumberedRelease: Sendable {
    package let number: UInt64
    package let release: Release
}

extension Vault {
    /// Seals an entry into memory; `commitReleases` makes it survive the end of the process.
    package func append(_ release: Release) throws(VaultError) {
        let parts = try unlocked
        // The times of last use can wait for their second: only the entries need room.
        if !parts.releases.hasRoom { try syncReleases(at: nil, uses: 0) }
        try parts.releases.append(release, key: parts.keys.releases, using: &entropy)
    }

    /// Before the answer leaves: one write without fsync. After an error it must not leave, and what was appended since the last
    /// call is not on record. Works while the disk is full, until the space that was set
    /// aside is used up.
    package func commitReleases() throws(VaultError) {
        try unlockedParts?.releases.commit()
    }

    /// Whether something waits for `syncReleases`.
    package var hasUnsyncedReleases: Bool {
        guard let unlockedParts else { return false }
        return !unlockedParts.releases.pending.isEmpty || !unlockedParts.uses.isEmpty
    }

    /// Makes all entries, and some of the times of last use, durable in one commit; to be called within a second of the first
    /// that waits, and soon again while `hasUnsyncedReleases`. Drops what is too old or too much.
    ///
    /// - Parameter now: of the steady clock; see `PurgeClock`.
    package func syncReleases(at now: Timestamp) throws(VaultError) {
        try syncReleases(at: now, uses: Self.usesAtOnce)
    }

    /// The same without waiting for the disk.
    ///
    /// - Returns: what brings it to the disk on another thread, to be given to `finish` afterwards; nil where nothing is to be
    ///   done.
    package func storeReleases(at now: Timestamp) throws(VaultError) -> BackgroundSync? {
        try syncReleases(at: now, uses: Self.usesAtOnce, isDurable: hold.database?.log?.isOpen != true)
        return backgroundSync
    }

    /// At most so many times of last use are written at once, so that a turn stays short.
    static let usesAtOnce = 8

    /// - Parameters:
    ///   - now: nil where nothing goes for its age.
    ///   - limit: how many times of last use are written at most.
    ///   - isDurable: also of what `storeReleases` has written before.
    func syncReleases(at now: Timestamp?, uses limit: Int, isDurable: Bool = true) throws(VaultError) {
        let parts = try unlocked
        let journal = parts.releases
        let uses = parts.uses.prefix(limit)
        guard !journal.pending.isEmpty || !uses.isEmpty else {
            guard isDurable, let sync = backgroundSync else { return }
            try sync.run()
            return finish(sync)
        }
        guard parts.manifest != nil else {
            // Without a manifest the entries are kept all the same; `repair` takes the head from them.
            try database.write { statements throws(VaultError) in try store(journal, statements) }
            parts.uses = [:]
            return journal.drained()
        }
        let horizon = try now.flatMap { now throws(VaultError) in try releaseHorizon(at: now) }
        var freed = 0
        try write(inAnyFormat: true, isDurable: isDurable) { parts, statements, changes throws(VaultError) in
            if !journal.pending.isEmpty {
                var cutting = ReleaseCutting(
                    parts.manifest?.root.releases ?? ReleaseHead(), journal, statements, parts.keys)
                cutting.note(journal)
                freed = try cut(&cutting, journal.storedBytes + journal.pending.count, before: horizon)
                let head = cutting.head
                changes.releases = head
                // Behind the cut, whose pages it takes: they are written once.
                try store(journal, statements)
            }
            for (id, time) in uses {
                // A damaged credential has no use that could be noted, and must not keep the entries from the file.
                try sound { () throws(VaultError) in try writeUse(of: id, at: time, parts, statements, &changes) }
            }
        }
        if !journal.pending.isEmpty { journal.drained() }
        journal.storedBytes -= freed
        for (id, _) in uses { parts.uses[id] = nil }
    }

    private func store(_ journal: ReleaseJournal, _ statements: VaultStatements) throws(VaultError) {
        guard !journal.pending.isEmpty else { return }
        try statements.releases.insert.run(.integer(Int64(bitPattern: journal.pendingFirst)), .bytes(journal.pending))
    }

    /// The same version under a new tag: a use is no change.
    private func writeUse(
        of id: ObjectID, at time: Timestamp, _ parts: UnlockedVault, _ statements: VaultStatements,
        _ changes: inout VaultChanges
    ) throws(VaultError) {
        guard let old: Credential = try fetch(id, parts, statements), old.lastUsed.map({ $0 < time }) ?? true else {
            return
        }
        var new = old
        new.lastUsed = time
        try replace(old, with: new, parts, statements, &changes)
    }

    // MARK: - Reading

    /// Entries before a number, or the last ones: the newest first. One that cannot be read is left out; `check` names it.
    package func releases(
        before number: UInt64?, limit: Int
    ) throws(VaultError) -> VaultPage<NumberedRelease, UInt64> {
        try read { parts, statements throws(VaultError) in
            let end = number ?? .max
            var found: [NumberedRelease] = []
            func take(_ bytes: UnsafeRawBufferPointer) -> Bool {
                for entry in ReleaseEntry.all(in: bytes).reversed() where entry.sequence < end {
                    guard found.count <= limit else { return false }
                    guard let opened = entry.open(key: parts.keys.releases) else { continue }
                    found.append(NumberedRelease(number: entry.sequence, release: opened.release))
                }
                return found.count <= limit
            }
            if parts.releases.pending.withUnsafeBytes({ take($0) }) {
                let before = Int64(clamping: min(end, parts.releases.pendingFirst))
                try statements.releases.before.each([.integer(before)]) { row throws(VaultError) in take(row.bytes(1)) }
            }
            let page = Array(found.prefix(limit))
            return VaultPage(elements: page, next: found.count > limit ? page.last?.number : nil)
        }
    }

    /// Where the chain ends by the rows themselves, as far as they can be opened; for a vault whose manifest is damaged.
    static func releaseHead(_ statements: VaultStatements, key: SecretBytes) throws(VaultError) -> ReleaseHead {
        var head = ReleaseHead()
        try statements.releases.before.each([.integer(.max)]) { row throws(VaultError) in
            for entry in ReleaseEntry.all(in: row.bytes(1)).reversed() where entry.open(key: key) != nil {
                head.next = entry.sequence &+ 1
                head.last = entry.tag
                return false
            }
            return true
        }
        return head
    }
}
