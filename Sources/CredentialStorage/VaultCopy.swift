// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import GRDBSQLite
internal import SecretMemory

/// A backup in the making: under a name of its own until it is whole, read back and on disk.
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
        // In the vault's own folder nobody else makes any; elsewhere a fresh one may be another daemon's.
        PartialBackup.removeStale(in: folder, before: folder == home?.backups ? .max : time(nil) - 3600)
        let entropy = SystemEntropy()
        let name = folder + "/" + PartialBackup.name(number: entropy.next())
        try VaultDirectory.makeEmptyFile(name)
        partial = name
    }

    /// Copies what a connection sees, and reads it back: row for row, and with keys each record opened.
    mutating func make(
        of source: OpaquePointer, at sourcePath: String, keys: VaultKeys?, _ progress: VaultProgress
    ) throws(VaultError) -> BackupReport {
        guard let partial else { throw .absent(path: path) }
        try Self.copyPages(of: source, to: partial, progress)
        let expected = try VaultSnapshot.digest(of: source, path: sourcePath)
        let records = try VaultSnapshot.read(partial) { snapshot throws(VaultError) -> Int? in
            guard try snapshot.digest() == expected else { throw .backupDamaged }
            guard let keys else { return nil }
            let report = try snapshot.check(keys: keys, progress)
            // A vault that is damaged may be backed up as it is; the copy must not be worse.
            if !report.isSound, report.findings != (try Self.check(source, at: sourcePath, keys, progress)).findings {
                throw .backupDamaged
            }
            return report.records
        }
        try VaultDirectory.synchronize(partial)
        var status = stat()
        stat(partial, &status)
        return BackupReport(path: path, length: Int(status.st_size), records: records)
    }

    private static func check(
        _ connection: OpaquePointer, at path: String, _ keys: VaultKeys, _ progress: VaultProgress
    ) throws(VaultError) -> CheckReport {
        try VaultInspection.report(
            on: connection, VaultStatements(on: connection, path: path), path: path, keys: keys, progress)
    }

    /// Gives it its name, which no file has, durably.
    mutating func publish() throws(VaultError) {
        guard let partial else { return }
        try VaultDirectory.publish(partial, as: path)
        self.partial = nil
        try VaultDirectory.synchronize(VaultDirectory.parent(of: path))
    }

    /// Removes what was not published.
    mutating func discard() {
        guard let partial else { return }
        try? VaultDirectory.removeDatabase(partial)
        self.partial = nil
    }

    /// Copies all pages that a connection sees into the database at `path`.
    static func copyPages(
        of source: OpaquePointer, to path: String, _ progress: VaultProgress = VaultProgress()
    ) throws(VaultError) {
        var destination: OpaquePointer?
        defer { sqlite3_close_v2(destination) }
        let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX
        guard sqlite3_open_v2(path, &destination, flags, nil) == SQLITE_OK, let destination else {
            throw .sqlite(destination, path: path)
        }
        try copyPages(from: source, to: destination, path: path, progress)
        // The copy says of itself that it has a write-ahead log; a single file is what a backup should be.
        guard sqlite3_exec(destination, "PRAGMA journal_mode = DELETE", nil, nil, nil) == SQLITE_OK else {
            throw .sqlite(destination, path: path)
        }
    }

    private static func copyPages(
        from source: OpaquePointer, to destination: OpaquePointer, path: String, _ progress: VaultProgress
    ) throws(VaultError) {
        guard let backup = sqlite3_backup_init(destination, "main", source, "main") else {
            throw .sqlite(destination, path: path)
        }
        do throws(VaultError) {
            while sqlite3_backup_step(backup, 1024) == SQLITE_OK {
                let count = sqlite3_backup_pagecount(backup)
                try progress.advance(to: Int(count - sqlite3_backup_remaining(backup)), of: Int(count))
            }
        } catch {
            sqlite3_backup_finish(backup)
            throw error
        }
        // It has the error of the steps, if there was one.
        guard sqlite3_backup_finish(backup) == SQLITE_OK else { throw .sqlite(destination, path: path) }
    }
}

/// The names of unfinished backups, which a killed daemon leaves behind.
enum PartialBackup {
    private static let prefix = ".autofilld-"
    private static let suffix = ".partial"

    static func name(number: UInt64) -> String {
        let digits = String(number, radix: 16)
        return prefix + String(repeating: "0", count: 16 - digits.count) + digits + suffix
    }

    static func isOne(_ name: String) -> Bool {
        guard name.hasPrefix(prefix), name.hasSuffix(suffix) else { return false }
        let digits = name.dropFirst(prefix.count).dropLast(suffix.count)
        return digits.utf8.count == 16 && digits.utf8.allSatisfy { (48...57).contains($0) || (97...102).contains($0) }
    }

    /// Removes those of a folder that are plain files of this user and were last written to before `limit`, in seconds since
    /// 1970: of a folder that others use too, only what nobody can be working on.
    static func removeStale(in folder: String, before limit: Int) {
        for name in (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? [] where isOne(name) {
            let path = folder + "/" + name
            var status = stat()
            guard lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_uid == geteuid(),
                status.st_mtim.tv_sec < limit
            else { continue }
            try? VaultDirectory.removeDatabase(path)
        }
    }
}
