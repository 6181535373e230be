// SPDX-License-Identifier: Apache-2.0
package import Credentials
internal import Glibc
internal import Synchronization
internal import VaultFormat

/// A vault that can be read from end to end.
package protocol VaultView {
    /// Checks everything; changes nothing.
    func check(_ progress: VaultProgress) throws(VaultError) -> CheckReport

    /// Copies the vault into a new file and reads that back; see `VaultBackups.make`.
    func copy(to path: String, _ progress: VaultProgress) throws(VaultError) -> BackupReport

    /// Calls `body` with each credential, deleted or not, in the order of their ids, until it returns false. Skips damaged ones.
    func eachCredential(_ progress: VaultProgress, _ body: (Credential) -> Bool) throws(VaultError)
}

/// The vault as it was at one moment, for another thread to read while the vault is in use: the database file itself. Nothing is
/// written to it meanwhile; what is saved is in the write-ahead log, and is durable.
///
/// An operation that must write to the file all the same (on a full disk, after a sync that failed, at the end of the daemon)
/// removes the keys before, and the result of the read is discarded.
package final class FrozenVault: VaultView, Sendable {
    private let path: String
    private let home: VaultDirectory
    /// Of the open vault's file.
    private let identity: FileIdentity?
    /// nil when the file has changed.
    private let keys: Mutex<VaultKeys?>
    /// The root that the open vault has; nil where it is lost or not trusted.
    private let root: ManifestRoot?
    private let distrust: VaultFinding?
    /// How many entries of the release log are not in the file, and what is missing of them.
    private let waitingReleases: Int
    private let missingReleases: [VaultFinding]

    init(_ home: VaultDirectory, _ unlocked: UnlockedVault) {
        path = home.database
        self.home = home
        identity = FileIdentity(of: home.database)
        keys = Mutex(unlocked.keys)
        root = unlocked.manifest?.root
        distrust = unlocked.distrust?.finding
        waitingReleases = unlocked.releases.pendingCount
        missingReleases = unlocked.releases.findings
    }

    /// Ends the use: the file is going to change, or nobody reads it any more.
    func giveUp() { keys.withLock { $0 = nil } }

    package func check(_ progress: VaultProgress) throws(VaultError) -> CheckReport {
        try read { snapshot, keys throws(VaultError) in
            try snapshot.check(keys: keys, root: root, hasUntrustedRoot: root == nil, progress).adding(
                distrust, releases: waitingReleases, missingReleases)
        }
    }

    package func copy(to path: String, _ progress: VaultProgress) throws(VaultError) -> BackupReport {
        var copy = try VaultCopy(to: path, ofVaultIn: home)
        defer { copy.discard() }
        let report = try read { snapshot, keys throws(VaultError) in
            try copy.make(of: snapshot.connection, keys: keys, progress)
        }
        try copy.publish()
        return report
    }

    package func eachCredential(_ progress: VaultProgress, _ body: (Credential) -> Bool) throws(VaultError) {
        try read { snapshot, keys throws(VaultError) in
            try VaultStatements(on: snapshot.connection).eachCredential(keys: keys, progress, body)
        }
    }

    /// Throws `rekeying`, whatever was read, where the file has changed, and `replaced` where another one is at its path.
    private func read<Result>(
        _ body: (VaultSnapshot, VaultKeys) throws(VaultError) -> Result
    ) throws(VaultError) -> Result {
        guard let keys = current else { throw .rekeying }
        do throws(VaultError) {
            let result = try VaultSnapshot.read(path) { snapshot throws(VaultError) in
                try checkIdentity(of: snapshot)
                let result = try body(snapshot, keys)
                try checkIdentity(of: snapshot)
                return result
            }
            guard current != nil else { throw .rekeying }
            return result
        } catch { throw current == nil && error != .cancelled ? .rekeying : error }
    }

    /// That the path still names the open vault's file, and SQLite has opened that one.
    private func checkIdentity(of snapshot: VaultSnapshot) throws(VaultError) {
        let current = FileIdentity(of: path)
        // A folder that may not be searched any more hides its files; it has not lost them.
        if current == nil, errno == EACCES { throw .permissionLost(path: path) }
        guard current == identity, !snapshot.connection.hasMoved else { throw .replaced(path: path) }
    }

    private var current: VaultKeys? { keys.withLock { $0 } }
}
