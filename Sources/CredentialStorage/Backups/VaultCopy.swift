// SPDX-License-Identifier: Apache-2.0
internal import Credentials
internal import Glibc
internal import SecretMemory
internal import VaultFormat

/// A backup in the making: under a name of its own until it is complete, read back and on disk.
struct VaultCopy: ~Copyable {
    private let path: String
    /// nil once it is published or removed.
    private var partial: String?

    /// Makes an empty file beside `path`, 0600, for a copy of the vault in `home`, and removes what killed daemons have left
    /// of such ones. Throws `fileExists` where something is at `path`.
    init(to path: String, ofVaultIn home: VaultDirectory?) throws(VaultError) {
        self.path = path
        var status = stat()
        guard lstat(path, &status) != 0 else { throw .fileExists(path: path) }
        let folder = VaultDirectory.parent(of: path)
        let owner = home.flatMap(PartialBackup.owner)
        // In the vault's own folder nobody else makes any; elsewhere a fresh one may be another daemon's.
        PartialBackup.removeStale(in: folder, before: folder == home?.backups ? .max : time(nil) - 3600, madeBy: owner)
        let name = folder + "/" + PartialBackup.name(madeBy: owner)
        try VaultDirectory.makeEmptyFile(name)
        partial = name
    }

    /// Copies what a connection sees, and reads it back: row for row, and with keys each record opened.
    mutating func make(
        of source: SQLConnection, keys: VaultKeys?, _ progress: VaultProgress
    ) throws(VaultError) -> BackupReport {
        guard let partial else { throw .absent(path: path) }
        try source.copyPages(to: partial, progress)
        let expected = try VaultSnapshot.digest(of: source)
        let seen = try VaultSnapshot.read(partial) { snapshot throws(VaultError) -> CheckReport? in
            guard try snapshot.digest() == expected else { throw .backupDamaged }
            guard let keys else { return nil }
            let report = try snapshot.check(keys: keys, progress)
            // A vault that is damaged may be backed up as it is; the copy must not be worse.
            if !report.isIntact, report.findings != (try Self.check(source, keys, progress)).findings {
                throw .backupDamaged
            }
            return report
        }
        try VaultDirectory.synchronize(partial)
        var status = stat()
        stat(partial, &status)
        return BackupReport(
            path: path, length: Int(status.st_size), records: seen?.records, findings: seen?.findings ?? [])
    }

    private static func check(
        _ connection: SQLConnection, _ keys: VaultKeys, _ progress: VaultProgress
    ) throws(VaultError) -> CheckReport {
        try VaultInspection.report(on: connection, VaultStatements(on: connection), keys: keys, progress)
    }

    /// Renames it durably to its name, which no file has.
    mutating func publish() throws(VaultError) {
        guard let partial else { return }
        try VaultDirectory.publish(partial, as: path)
        self.partial = nil
        do throws(VaultError) { try VaultDirectory.synchronize(VaultDirectory.parent(of: path)) } catch {
            // It is not reported.
            try? VaultDirectory.remove(path)
            throw error
        }
    }

    /// Removes what was not published.
    mutating func discard() {
        guard let partial else { return }
        try? VaultDirectory.removeDatabase(partial)
        self.partial = nil
    }
}
