// SPDX-License-Identifier: Apache-2.0
package import Credentials
internal import SecretMemory
internal import VaultFormat

/// The encrypted store: one SQLite file in which every name, secret and time is sealed. See Vault-format.md.
///
/// Belongs to one executor. Every call is synchronous and durable on return, except for releases (see
/// `StoredReleaseLog.commit`). Nothing here prompts, logs, sleeps or derives a key from a passphrase: that is `UnlockAttempt` and
/// `NewSlot`.
package final class Vault {
    package enum State: Hashable, Sendable {
        /// There is none here; nothing was created.
        case missing
        case locked
        case unlocked
    }

    package let location: VaultLocation
    let file: VaultFile
    let store: RecordStore
    package let slots: VaultSlots
    package let releases: StoredReleaseLog
    package let backups: VaultBackups

    /// Opens the vault at `location`, where there is one.
    ///
    /// - Parameters:
    ///   - program: the name that a second process is given which opens the vault.
    ///   - openedAt: when the delay begins that wrong secrets have caused before a restart.
    ///   - opensVault: false leaves the file alone: for a `restore` that replaces a vault which cannot be opened.
    package init(
        at location: VaultLocation, program: String, entropy: some RandomNumberGenerator = SystemEntropy(),
        limits: VaultLimits = VaultLimits(), openedAt: Timestamp? = nil, opensVault: Bool = true
    ) throws(VaultError) {
        self.location = location
        file = VaultFile(in: location.directory, program: program)
        store = RecordStore(file, limits: limits, entropy: entropy)
        releases = StoredReleaseLog(store)
        backups = VaultBackups(store, releases)
        slots = VaultSlots(store, backups, openedAt: openedAt)
        if opensVault { try file.openFirst() }
    }

    package var limits: VaultLimits {
        get { store.limits }
        set { store.limits = newValue }
    }

    package var state: State { store.unlockedVault != nil ? .unlocked : file.isThere ? .locked : .missing }

    /// How often another file has replaced the one that was open: versions that were read from it are no longer valid.
    package var replacements: Int { file.replacements }

    /// The folder or file of the vault that others could write to before this process closed it to them; nil where there was none.
    package var writableByOthers: String? { file.writableByOthers }

    // MARK: - Objects

    /// What reads the objects; the vault must be unlocked when one of them is used.
    package var readers: VaultReaders { VaultReaders(store) }

    /// What changes the objects; the vault must be unlocked.
    package var writers: VaultWriters {
        get throws(VaultError) {
            _ = try store.unlocked
            return VaultWriters(store)
        }
    }

    /// How much is in the vault; nil unless it is unlocked. Opens nothing.
    package var counts: VaultCounts? { store.counts }

    /// `counts.credentials` without the other counts, for each line of status.
    package var credentialCount: Int? {
        (store.unlockedVault?.manifest?.root.tallies[Tally.credentials.rawValue]).map { Int(clamping: $0) }
    }

    /// How many credentials were written since the unlock: while it stays, so does the version of each.
    package var writtenCredentials: Int { store.unlockedVault?.orders.counts.written ?? 0 }

    /// Settles the offers that have expired, and removes for good what was deleted or settled longer ago than it can be restored. Call
    /// it once a day. `now` is of a steady clock: see `PurgeClock`.
    ///
    /// - Returns: how many records were removed.
    package func purge(at now: Timestamp) throws(VaultError) -> Int { try store.purge(at: now) }

    /// The time before any vault that the clock for removal was kept with, once after it has begun again.
    package func takeWrongPurgeTime() -> Timestamp? {
        defer { store.purgeClock?.wrong = nil }
        return store.purgeClock?.wrong
    }

    // MARK: - A turn of the event loop

    /// How many bytes of records were opened since the unlock, as `VaultLimits.turnBytes` counts them.
    package var openedBytes: Int { store.unlockedVault?.opened.bytes ?? 0 }

    /// Begins a decision: what is opened from here to `endTurn` counts together.
    ///
    /// - Parameter endsPages: whether its lists end with a turn's bytes, as those that are answered page by page. A list that a
    ///   decision depends on is complete.
    package func beginTurn(endsPages: Bool) { store.unlockedVault?.opened.beginTurn(endsPages: endsPages) }

    package func endTurn() { store.unlockedVault?.opened.endTurn() }

    /// What reads have found since the last call that does not match the manifest. Each bucket is compared once per unlock.
    package func takeFindingsOfReads() -> [VaultFinding] { store.unlockedVault?.compared.takeFindings() ?? [] }

    // MARK: - The file

    /// Opens the file where one is there although none is open: after an error while it was replaced, or where one was put there.
    package func openIfThere() throws(VaultError) { try file.openIfThere() }

    /// Writes what is pending, locks, and closes the file. The vault is `missing` afterwards.
    package func close() {
        lock()
        release()
    }

    /// Drops the keys, closes the file and releases the lock.
    func release() {
        store.unlockedVault = nil
        file.release()
    }

    /// How many bytes of the file SQLite has in memory, none of them in the clear; 0 while the file is closed, and for a vault in memory.
    package var cachedBytes: Int { file.database?.cachedBytes ?? 0 }

    /// Frees that memory; pages are read again when they are needed. Takes about a millisecond for 8 MiB.
    package func releaseCache() { file.database?.releaseCache() }
}
