// SPDX-License-Identifier: Apache-2.0
internal import CSQLite
internal import Glibc
internal import SecretMemory

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
        try Self.copyPages(of: source, to: partial, progress)
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

    /// Copies all pages that a connection sees into the database at `path`.
    static func copyPages(
        of source: SQLConnection, to path: String, _ progress: VaultProgress = VaultProgress()
    ) throws(VaultError) {
        let destination = try SQLConnection(path, at: path, flags: SQLITE_OPEN_READWRITE)
        try copyPages(from: source, to: destination, progress)
        // The copy states that it has a write-ahead log; a backup should be a single file.
        try destination.run("PRAGMA journal_mode = DELETE")
    }

    private static func copyPages(
        from source: SQLConnection, to destination: SQLConnection, _ progress: VaultProgress
    ) throws(VaultError) {
        guard let backup = sqlite3_backup_init(destination.handle, "main", source.handle, "main") else {
            throw destination.error
        }
        var code = sqlite3_backup_step(backup, 1024)
        do throws(VaultError) {
            while code == SQLITE_OK {
                let count = sqlite3_backup_pagecount(backup)
                try progress.advance(to: Int(count - sqlite3_backup_remaining(backup)), of: Int(count))
                code = sqlite3_backup_step(backup, 1024)
            }
        } catch {
            sqlite3_backup_finish(backup)
            throw error
        }
        // It returns the error of the steps, if there was one, but none for a file that another process holds.
        guard sqlite3_backup_finish(backup) == SQLITE_OK else { throw destination.error }
        guard code == SQLITE_DONE else { throw .held(processID: nil, program: nil) }
    }
}

/// The names of unfinished backups, which a killed daemon leaves. A vault makes one at a time, and one daemon has it:
/// when the vault in a name begins another, nothing writes to such a file.
enum PartialBackup {
    private static let prefix = ".autofilld-"
    private static let suffix = ".partial"

    /// What distinguishes a vault from others in such names: the lowest bits of its directory's inode number.
    static func owner(_ home: VaultDirectory) -> UInt32? {
        var status = stat()
        return stat(home.path, &status) == 0 ? UInt32(truncatingIfNeeded: status.st_ino) : nil
    }

    /// A fresh name; nil is for a vault in memory.
    static func name(madeBy owner: UInt32?) -> String {
        let number = SystemEntropy().next()
        return prefix + digits(owner ?? UInt32(number >> 32)) + digits(UInt32(truncatingIfNeeded: number)) + suffix
    }

    private static func digits(_ number: UInt32) -> String {
        let digits = String(number, radix: 16)
        return String(repeating: "0", count: 8 - digits.count) + digits
    }

    static func isOne(_ name: String) -> Bool {
        guard name.hasPrefix(prefix), name.hasSuffix(suffix) else { return false }
        let digits = name.dropFirst(prefix.count).dropLast(suffix.count)
        return digits.utf8.count == 16 && digits.utf8.allSatisfy { (48...57).contains($0) || (97...102).contains($0) }
    }

    /// Removes those of a folder that are plain files of this user, and were made by the same vault, or last written to before
    /// `limit`, in seconds since 1970: of a folder that others use too, only what nobody can be working on.
    static func removeStale(in folder: String, before limit: Int, madeBy owner: UInt32?) {
        let own = owner.map { prefix + digits($0) }
        for name in VaultDirectory.names(in: folder) where isOne(name) {
            let path = folder + "/" + name
            var status = stat()
            guard lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_uid == geteuid(),
                status.st_mtim.tv_sec < limit || own.map({ name.hasPrefix($0) }) ?? false
            else { continue }
            try? VaultDirectory.removeDatabase(path)
        }
    }
}
