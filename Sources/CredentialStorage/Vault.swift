// SPDX-License-Identifier: Apache-2.0
package import Credentials
internal import SecretMemory

/// The encrypted store: one SQLite file whose every name, secret and time is sealed. See Vault-format.md.
///
/// Belongs to one executor; every call is synchronous and durable on return, but for the record of releases (see
/// `commitReleases`). Nothing here prompts, logs, sleeps or derives a key from a passphrase: that is `UnlockAttempt` and
/// `NewSlot`.
package final class Vault {
    package enum State: Hashable, Sendable {
        /// There is none here; nothing was created.
        case missing
        case locked
        case unlocked
    }

    package let location: VaultLocation
    package var limits: VaultLimits
    var entropy: any RandomNumberGenerator
    var hold: VaultHold
    /// What exists only while the vault is unlocked, the keys above all.
    var unlockedParts: UnlockedVault?
    var delays: SlotDelays

    /// Opens the vault at `location`, where there is one. `program` is what a second opener is told; from `openedAt` on the
    /// delay counts that wrong secrets have earned before a restart. Without `opensVault` the file is left alone: for a
    /// `restore` in the place of a vault that cannot be opened.
    package init(
        at location: VaultLocation, program: String, entropy: some RandomNumberGenerator = SystemEntropy(),
        limits: VaultLimits = VaultLimits(), openedAt: Timestamp? = nil, opensVault: Bool = true
    ) throws(VaultError) {
        self.location = location
        self.entropy = entropy
        self.limits = limits
        hold = VaultHold(by: program)
        delays = SlotDelays(openedAt: openedAt)
        guard opensVault, case .directory(let path) = location else { return }
        try openFirst(VaultDirectory(path: path))
    }

    package var state: State { !hold.isThere ? .missing : unlockedParts == nil ? .locked : .unlocked }

    /// How often another file has taken the place of the one that was open: what was known of its versions holds no more.
    package var replacements: Int { hold.replacements }

    /// The folder or file of the vault that others could write to before this process closed it to them; nil where there was
    /// none.
    package var writableByOthers: String? { hold.writableByOthers }

    /// How much is in the vault; nil unless it is unlocked. Costs nothing.
    package var counts: VaultCounts? {
        guard let parts = unlockedParts, let root = parts.manifest?.root else { return nil }
        let head = root.releases
        let stored = root.format > .first ? head.count : head.next - head.first
        let releases = Int(clamping: stored) + parts.releases.pendingCount
        return VaultCounts(tallies: root.tallies, releases: releases)
    }

    /// Writes back what is pending, locks, and gives the file up. The vault is `missing` afterwards.
    package func close(at now: Timestamp) {
        lock(at: now)
        release()
    }

    /// Gives the file and the lock up.
    func release() {
        unlockedParts = nil
        hold.release()
    }

    // MARK: - The file

    /// The file, or why there is none to work on. Of a locked vault it is closed: see `whileOpen`.
    var database: VaultDatabase {
        get throws(VaultError) {
            guard let database = hold.database else { throw hold.isThere ? .locked : .missing }
            return database
        }
    }

    /// What the keys make possible, or `locked`.
    var unlocked: UnlockedVault {
        get throws(VaultError) {
            guard hold.isThere else { throw .missing }
            guard let unlockedParts else { throw .locked }
            return unlockedParts
        }
    }

    /// Takes the lock and opens the file.
    ///
    /// - Parameter isFirst: whether a killed process may have left something half done.
    func open(_ directory: VaultDirectory, isFirst: Bool = false) throws(VaultError) {
        let lock = try hold.lock(on: directory)
        if isFirst { try directory.tidy() }
        if try VaultDirectory.close(directory.path, mode: 0o700) { hold.writableByOthers = directory.path }
        if try VaultDirectory.close(directory.database, mode: 0o600) { hold.writableByOthers = directory.database }
        try directory.checkHeader()
        let database = try VaultDatabase(path: directory.database, in: directory, isNew: false)
        hold.opened(database, lock)
    }

    /// Opens the file, if one is there, to see that it can be, and closes it until it is unlocked.
    private func openFirst(_ directory: VaultDirectory) throws(VaultError) {
        guard try directory.hasVault() else { return }
        try open(directory, isFirst: true)
        rest()
    }

    /// Opens the file where one is there though none is open: after an error in the middle of replacing it, or where one
    /// was put there.
    package func openIfThere() throws(VaultError) {
        guard !hold.isThere, case .directory(let path) = location else { return }
        let directory = VaultDirectory(path: path)
        guard try directory.hasVault() else { return }
        hold.replacements += 1
        try openFirst(directory)
    }

    /// Makes the directory and takes the lock, where no vault is yet, or one that is to be replaced.
    func claim(_ directory: VaultDirectory, replacing: Bool = false) throws(VaultError) {
        if try directory.make() { hold.writableByOthers = directory.path }
        hold.lock = try hold.lock(on: directory)
        if !replacing, try directory.hasVault() {
            hold.lock = nil
            throw .exists
        }
    }
}
