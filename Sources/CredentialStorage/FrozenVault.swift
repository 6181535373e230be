// SPDX-License-Identifier: Apache-2.0
package import Credentials
internal import Synchronization

/// A vault that can be looked at from end to end.
package protocol VaultView {
    /// Looks at everything; changes nothing.
    func check(_ progress: VaultProgress) throws(VaultError) -> CheckReport

    /// Copies the vault into a new file and reads that back; see `Vault.backup`.
    func copy(to path: String, _ progress: VaultProgress) throws(VaultError) -> BackupReport
}

/// The vault as it was at one moment, for another thread to look at while the vault is in use: the database file itself.
/// Nothing is written to it meanwhile; what is saved is in the write-ahead log, durable as ever.
///
/// Whatever has to write to the file all the same (a full disk, the end of the daemon) takes the keys away before, and what
/// was seen does not count.
package final class FrozenVault: VaultView, Sendable {
    private let path: String
    private let home: VaultDirectory
    /// nil when the file is no more what it was.
    private let keys: Mutex<VaultKeys?>
    /// The root as the open vault knows it; nil where it is lost or not trusted.
    private let known: ManifestRoot?
    private let distrust: VaultFinding?
    /// How many entries of the record of releases are not in the file.
    private let waitingReleases: Int

    init(_ home: VaultDirectory, _ parts: UnlockedVault) {
        path = home.database
        self.home = home
        keys = Mutex(parts.keys)
        known = parts.manifest?.root
        distrust = parts.distrust?.finding
        waitingReleases = parts.releases.pendingCount
    }

    /// The file is going to change, or nobody looks at it any more.
    func giveUp() { keys.withLock { $0 = nil } }

    package func check(_ progress: VaultProgress) throws(VaultError) -> CheckReport {
        try look { snapshot, keys throws(VaultError) in
            try snapshot.check(keys: keys, known: known, progress).adding(distrust, releases: waitingReleases)
        }
    }

    package func copy(to path: String, _ progress: VaultProgress) throws(VaultError) -> BackupReport {
        var copy = try VaultCopy(to: path, ofVaultIn: home)
        defer { copy.discard() }
        let report = try look { snapshot, keys throws(VaultError) in
            try copy.make(of: snapshot.connection, keys: keys, progress)
        }
        try copy.publish()
        return report
    }

    /// Throws `rekeying`, whatever was seen, where the file has not stayed as it was.
    private func look<Result>(
        _ body: (VaultSnapshot, VaultKeys) throws(VaultError) -> Result
    ) throws(VaultError) -> Result {
        guard let keys = current else { throw .rekeying }
        do throws(VaultError) {
            let result = try VaultSnapshot.read(path) { snapshot throws(VaultError) in try body(snapshot, keys) }
            guard current != nil else { throw .rekeying }
            return result
        } catch { throw current == nil && error != .cancelled ? .rekeying : error }
    }

    private var current: VaultKeys? { keys.withLock { $0 } }
}

extension Vault {
    /// The vault as it is now, for another thread, until `thaw`; what was released is in it. nil where it cannot be: for a
    /// vault in memory, and where the write-ahead log cannot be written back.
    package func freeze(at now: Timestamp) throws(VaultError) -> FrozenVault? {
        let parts = try unlocked
        let database = try database
        guard let home = database.directory else { return nil }
        // Where it cannot be now, the entries stay where they are. The times of last use can wait.
        try? syncReleases(at: nil, uses: 0)
        let frozen = FrozenVault(home, parts)
        do throws(VaultError) { try database.freeze(frozen) } catch { return nil }
        return frozen
    }

    /// Writes the log back into the file, so that `freeze` has little left to write: for another thread, before.
    package func writeBack() throws(VaultError) { try database.emptyLog() }

    /// Whether `writeBack` takes so long that it is for another thread, before `lock`.
    package var hasLongLog: Bool { hold.database?.hasLongLog ?? false }

    /// Nobody looks at the frozen vault any more.
    package func thaw() { hold.database?.thaw() }
}
