// SPDX-License-Identifier: Apache-2.0
package import Credentials
internal import VaultFormat

extension Vault: VaultView {
    /// Checks everything: opens each record, follows the manifest and the chain of releases, and makes SQLite check its pages.
    /// Changes nothing. Takes about 10 µs a record.
    package func check(_ progress: VaultProgress = VaultProgress()) throws(VaultError) -> CheckReport {
        let unlocked = try store.unlocked
        let database = try file.openDatabase
        // Checks the file, not the pages that were read before.
        database.releaseCache()
        return try database.access { connection throws(VaultError) -> CheckReport in
            try VaultInspection.report(
                on: connection, database.statements, keys: unlocked.keys, root: unlocked.manifest?.root,
                hasUntrustedRoot: unlocked.manifest == nil, progress
            ).adding(unlocked.distrust?.finding, unlocked.releases)
        }
    }

    /// Copies the vault into a new file and reads that back; see `VaultBackups.make`.
    package func copy(to path: String, _ progress: VaultProgress) throws(VaultError) -> BackupReport {
        try backups.copy(to: path, progress)
    }

    package func eachCredential(_ progress: VaultProgress, _ body: (Credential) -> Bool) throws(VaultError) {
        let unlocked = try store.unlocked
        try file.openDatabase.statements.eachCredential(keys: unlocked.keys, progress, body)
    }

    // MARK: - For another thread

    /// The vault as it is now, with all that was released, for another thread until `thaw`; nil for a vault in memory, and where the
    /// write-ahead log cannot be written back.
    package func freeze() throws(VaultError) -> FrozenVault? {
        let unlocked = try store.unlocked
        let database = try file.openDatabase
        guard let home = database.directory else { return nil }
        // After an error the entries stay in the release file. The times of last use can wait.
        try? releases.sync(at: nil, uses: 0)
        let frozen = FrozenVault(home, unlocked)
        do throws(VaultError) { try database.freeze { frozen.giveUp() } } catch { return nil }
        return frozen
    }

    /// Writes the log back into the file and empties it, so that `freeze` has little left to write: for another thread, before.
    package func emptyLog() throws(VaultError) { try file.openDatabase.emptyLog() }

    /// Begins the emptied log, for another thread: the event loop would wait for a sync in its next commit.
    package func beginLog() throws(VaultError) { try file.openDatabase.beginLog() }

    /// Whether the log is so long that another thread should run `writeBack`.
    package var mustWriteBack: Bool { file.database?.mustWriteBack ?? false }

    /// Writes the log back into the file. Where the log is on the disk already, this takes one sync, of the file.
    package func writeBack() throws(VaultError) {
        let database = try file.openDatabase
        try database.checkIdentity()
        try database.writeBack()
    }

    /// Whether the log must be emptied because a sync of it has failed.
    package var hasFailedLog: Bool { file.database?.log?.hasFailed ?? false }

    /// Whether `emptyLog` takes so long that another thread should run it before `lock`.
    package var hasLongLog: Bool { file.database?.hasLongLog ?? false }

    /// Ends the use of the frozen vault.
    package func thaw() { file.database?.thaw() }
}

extension CheckReport {
    /// Adds what is wrong with the vault as a whole, and the entries that are not in the file yet.
    func adding(_ finding: VaultFinding?, _ waiting: ReleaseJournal) -> CheckReport {
        adding(finding, releases: waiting.pendingCount, waiting.findings)
    }

    func adding(_ finding: VaultFinding?, releases count: Int, _ missing: [VaultFinding]) -> CheckReport {
        CheckReport(
            findings: [finding].compactMap(\.self) + findings + missing, records: records, releases: releases + count)
    }
}
