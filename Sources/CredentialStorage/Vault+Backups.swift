// SPDX-License-Identifier: Apache-2.0
internal import CAutofillLinux
package import Credentials
internal import Foundation
internal import GRDB
internal import SecretMemory

/// A backup that was made and read back.
package struct BackupReport: Sendable {
    package let path: String
    /// Its length in bytes.
    package let length: Int
    /// How many records were opened in it; nil where the vault was locked and only the rows were compared.
    package let records: Int?
}

/// A backup that the vault knows of.
package struct KnownBackup: Hashable, Sendable {
    package let path: String
    /// nil for one that was made before a migration.
    package let made: Timestamp?
    /// Its length in bytes.
    package let length: Int
    package let isAutomatic: Bool
}

extension Vault {
    /// Copies the vault, as it is at this moment, into a new file, and reads that back: row for row, and, while the vault is
    /// unlocked, each record opened. The file is 0600, and appears under its name when all that is done. A backup is opened
    /// by the secrets that the slots have now, for ever.
    ///
    /// Throws `fileExists` where something is at `path`.
    package func backup(
        to path: String, at now: Timestamp, _ progress: VaultProgress = VaultProgress()
    ) throws(VaultError) -> BackupReport {
        if unlockedParts != nil { try syncReleases(at: now, uses: .max) }
        let report = try copy(to: path, progress)
        if unlockedParts != nil { try note(backup: path, at: now) }
        return report
    }

    /// Makes an automatic backup where the last one is older than `interval`, and removes the oldest ones but `count`.
    ///
    /// - Returns: nil where none was due.
    package func backUpIfDue(
        keeping count: Int, every interval: Int64 = 86_400_000, at now: Timestamp,
        _ progress: VaultProgress = VaultProgress()
    ) throws(VaultError) -> BackupReport? {
        guard case .directory(let path) = location, count > 0 else { return nil }
        let directory = VaultDirectory(path: path)
        let last = try notedBackups().filter { $0.path.hasPrefix(directory.backups + "/") }.map(\.made).max()
        // One that is dated later than now was made under a wrong clock.
        if let last, (0..<interval).contains(now.milliseconds - last.milliseconds) { return nil }
        try VaultDirectory.make(directory.backups)
        let report = try backup(to: VaultDirectory.freshName(in: directory.backups), at: now, progress)
        for old in directory.automaticBackups.dropLast(count) { try VaultDirectory.remove(old) }
        return report
    }

    /// The automatic backups, the oldest first.
    package var automaticBackups: [String] {
        guard case .directory(let path) = location else { return [] }
        return VaultDirectory(path: path).automaticBackups
    }

    /// The backups that are known and still there, the newest first: those made by command, as long as the vault remembers
    /// them, and the automatic ones.
    package func backups() throws(VaultError) -> [KnownBackup] {
        var made: [String: Timestamp] = [:]
        let noted = try notedBackups()
        for backup in noted { made[backup.path] = backup.made }
        let automatic = automaticBackups
        let paths = Set(automatic + noted.map(\.path))
        let found = paths.compactMap { path -> KnownBackup? in
            var status = stat()
            guard stat(path, &status) == 0 else { return nil }
            return KnownBackup(
                path: path, made: made[path], length: Int(status.st_size), isAutomatic: automatic.contains(path))
        }
        return found.sorted { ($0.made?.milliseconds ?? 0, $0.path) > ($1.made?.milliseconds ?? 0, $1.path) }
    }

    /// The paths of the backups, as far as they are known and still there, that the secret of a slot as it was still opens.
    func backups(openedBy slot: SlotRow) -> [String] {
        let known = automaticBackups + ((try? notedBackups().map(\.path)) ?? [])
        return Set(known).sorted().filter { path in
            let slots = try? VaultSnapshot.read(path) { (snapshot) throws(VaultError) in try snapshot.slots() }
            return slots?.contains { $0.kind == slot.kind && $0.salt == slot.salt } ?? false
        }
    }

    // MARK: - Copying

    private func copy(to path: String, _ progress: VaultProgress) throws(VaultError) -> BackupReport {
        let database = try database
        var status = stat()
        guard lstat(path, &status) != 0 else { throw .fileExists(path: path) }
        // A name that nobody else's file has. A killed daemon leaves it behind.
        let partial = path + ".\(String(entropy.next() as UInt64, radix: 36)).partial"
        try VaultDirectory.makeEmptyFile(partial)
        do throws(VaultError) {
            try Self.copy(database.queue, to: partial, progress)
            let records = try verify(copy: partial, of: database, progress)
            try VaultDirectory.synchronize(partial)
            stat(partial, &status)
            try VaultDirectory.publish(partial, as: path)
            try VaultDirectory.synchronize(VaultDirectory.parent(of: path))
            return BackupReport(path: path, length: Int(status.st_size), records: records)
        } catch {
            try? VaultDirectory.removeDatabase(partial)
            throw error
        }
    }

    static func copy(
        _ queue: DatabaseQueue, to path: String, _ progress: VaultProgress = VaultProgress()
    ) throws(VaultError) {
        do {
            let destination = try DatabaseQueue(path: path)
            try queue.backup(to: destination, pagesPerStep: 1024) { pages in
                try progress.advance(to: pages.completedPageCount, of: pages.totalPageCount)
            }
            // The copy says of itself that it has a write-ahead log; a single file is what a backup should be.
            try destination.inDatabase { try $0.execute(sql: "PRAGMA journal_mode = DELETE") }
            try destination.close()
        } catch let error as VaultError { throw error } catch { throw .grdb(error, path: path) }
    }

    /// Reads a copy back.
    ///
    /// - Returns: how many records were opened; nil without keys.
    private func verify(
        copy path: String, of database: VaultDatabase, _ progress: VaultProgress
    ) throws(VaultError) -> Int? {
        let source = try database.access { connection throws(VaultError) in
            try VaultSnapshot.digest(of: connection, path: database.path)
        }
        let copied = try VaultSnapshot.read(path) { snapshot throws(VaultError) in try snapshot.digest() }
        guard copied == source else { throw .backupDamaged }
        guard let parts = unlockedParts else { return nil }
        let report = try inspect(path, keys: parts.keys, progress)
        // A vault that is damaged may be backed up as it is; the copy must not be worse.
        if !report.isSound, report.findings != (try check(progress)).findings { throw .backupDamaged }
        return report.records
    }

    /// Looks at everything in a file that is not the open one; a later migration's tables are made first, on a copy of the
    /// file's pages in memory.
    func inspect(_ path: String, keys: VaultKeys, _ progress: VaultProgress) throws(VaultError) -> CheckReport {
        do {
            var configuration = Configuration()
            configuration.readonly = true
            let file = try DatabaseQueue(path: path, configuration: configuration)
            let memory = try VaultDatabase(path: path, copying: file)
            try file.close()
            return try memory.access { _ throws(VaultError) in
                var inspection = try VaultInspection(memory, keys: keys, progress)
                try inspection.run()
                return CheckReport(
                    findings: inspection.findings, records: inspection.records, releases: inspection.releases)
            }
        } catch let error as VaultError { throw error } catch { throw .grdb(error, path: path) }
    }

    // MARK: - What was made

    private static let backupsSetting = "backups"
    private static let notedLimit = 100

    private func note(backup path: String, at now: Timestamp) throws(VaultError) {
        let noted = (try notedBackups().filter { $0.path != path } + [(path, now)]).suffix(Self.notedLimit)
        let value = BinaryWriter.encode { writer in
            writer.put(UInt32(noted.count))
            for backup in noted {
                writer.put(backup.path)
                writer.put(backup.made)
            }
        }
        try set(Self.backupsSetting, to: value, at: now)
    }

    private func notedBackups() throws(VaultError) -> [(path: String, made: Timestamp)] {
        guard let value = try setting(Self.backupsSetting) else { return [] }
        return value.withUnsafeBytes { bytes in
            var reader = BinaryReader(bytes)
            let count: UInt32 = reader.integer()
            var noted: [(path: String, made: Timestamp)] = []
            for _ in 0..<count where reader.isSound {
                let path = reader.text()
                noted.append((path, reader.time()))
            }
            return reader.isSound ? noted : []
        }
    }
}

extension VaultDirectory {
    /// The backups that were made without being asked for, the oldest first.
    var automaticBackups: [String] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: backups)) ?? []
        return names.filter { $0.hasSuffix(".sqlite") }
            .compactMap { name in Self.number(of: name).map { ($0, backups + "/" + name) } }
            .sorted { $0.0 < $1.0 }.map(\.1)
    }

    /// Gives a file another name, never one that a file has: also one that has appeared in the meantime.
    static func publish(_ path: String, as name: String) throws(VaultError) {
        let status = af_rename_new(path, name)
        guard status == 0 else { throw status == -EEXIST ? .fileExists(path: name) : .system(-status, path: name) }
    }

    static func parent(of path: String) -> String {
        guard let slash = path.lastIndex(of: "/") else { return "." }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }
}
