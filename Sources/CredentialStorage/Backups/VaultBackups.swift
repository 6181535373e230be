// SPDX-License-Identifier: Apache-2.0
package import Credentials
internal import Glibc
internal import SecretMemory
internal import VaultFormat

/// The backups of a vault.
package final class VaultBackups {
    private let file: VaultFile
    private let store: RecordStore
    private let releases: StoredReleaseLog

    init(_ store: RecordStore, _ releases: StoredReleaseLog) {
        file = store.file
        self.store = store
        self.releases = releases
    }

    /// Copies the vault, as it is at this moment, into a new file, and reads that back: row for row, and, while the vault is
    /// unlocked, each record opened. The file is 0600, and appears under its name when all that is done. A backup is opened by the
    /// secrets that the slots have now, for ever.
    ///
    /// Throws `fileExists` where something is at `path`.
    package func make(
        at path: String, at now: Timestamp, _ progress: VaultProgress = VaultProgress()
    ) throws(VaultError) -> BackupReport {
        if store.unlockedVault != nil { try releases.sync(at: nil, uses: .max) }
        let report = try copy(to: path, progress)
        // The backup is complete, whether or not the vault can record it.
        if store.unlockedVault != nil { try? note(path, at: now) }
        return report
    }

    // MARK: - In steps, for a copy that another thread makes

    /// The path for the automatic backup that is due now; nil where none is.
    ///
    /// - Parameter now: of the clock by which backups are recorded.
    package func due(keeping count: Int, at now: Timestamp) throws(VaultError) -> String? {
        guard count > 0, let directory = file.directory else { return nil }
        let last = try noted().last { $0.path.hasPrefix(directory.backups + "/") }?.made
        // One with a later date than now was made under a wrong clock.
        if let last, Self.isWithinDay(from: last, to: now) { return nil }
        return try freshPath()
    }

    /// The path for another automatic backup; nil for a vault in memory.
    package func freshPath() throws(VaultError) -> String? {
        guard let directory = file.directory else { return nil }
        try VaultDirectory.make(directory.backups)
        return VaultDirectory.freshName(in: directory.backups)
    }

    /// Records a backup that was made.
    package func note(_ path: String, at now: Timestamp) throws(VaultError) {
        let noted = try noted().filter { $0.path != path } + [NotedBackup(path: path, made: now)]
        try StoredSettingWriter(store).set(NotedBackup.setting, to: NotedBackup.encode(noted), at: now)
    }

    /// Keeps the backups of migrations after which the daemon was killed before it did: the vault is of the present format. Records
    /// when they were made.
    func keepThoseBeforeMigration() {
        for path in file.directory?.backupsBeforeMigration ?? [] {
            let kept = VaultDirectory.keep(backupBeforeMigration: path)
            guard kept != path, let made = Self.written(kept) else { continue }
            try? note(kept, at: made)
        }
    }

    /// When a file was last written to; nil where that was before any vault, as under a clock that was wrong.
    private static func written(_ path: String) -> Timestamp? {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        let (time, isTooFar) = Int64(status.st_mtim.tv_sec).multipliedReportingOverflow(by: 1000)
        return isTooFar || time < PurgeClock.earliest.milliseconds ? nil : Timestamp(milliseconds: time)
    }

    private static func isWithinDay(from earlier: Timestamp, to later: Timestamp) -> Bool {
        let (distance, isTooFar) = later.milliseconds.subtractingReportingOverflow(earlier.milliseconds)
        return !isTooFar && (0..<86_400_000).contains(distance)
    }

    /// Removes the oldest automatic backups but those of `count` days. Imports make some too: those within a day count as one. The date
    /// of one that is not on record is when its file was written; one without any counts as a day.
    package func removeOld(keeping count: Int) throws(VaultError) {
        let dates = try dates(of: noted())
        var (days, last): (Int, Timestamp?) = (0, nil)
        for path in automatic.reversed() {
            let date = dates[path] ?? Self.written(path)
            var isOfSameDay = false
            if let date, let last { isOfSameDay = Self.isWithinDay(from: date, to: last) }
            if !isOfSameDay { (days, last) = (days + 1, date) }
            if days > count { try VaultDirectory.remove(path) }
        }
    }

    // MARK: - Lists

    /// The paths of the automatic backups, the oldest first.
    package var automatic: [String] { file.directory?.automaticBackups ?? [] }

    /// The backups that exist, the newest first: the automatic ones, and those made by command as long as the vault has them on
    /// record.
    package func list() throws(VaultError) -> [RecordedBackup] {
        let noted = try noted()
        let made = dates(of: noted)
        let automatic = automatic
        let found = Set(automatic + noted.map(\.path)).compactMap { path -> RecordedBackup? in
            var status = stat()
            guard stat(path, &status) == 0 else { return nil }
            return RecordedBackup(
                path: path, made: made[path], length: Int(status.st_size), isAutomatic: automatic.contains(path))
        }
        return found.sorted { ($0.made?.milliseconds ?? 0, $0.path) > ($1.made?.milliseconds ?? 0, $1.path) }
    }

    /// The files that a secret of one of these slots, as they were, still opens: those beside the vault, and the backups that it, or a
    /// vault that it replaced, has on record.
    func opened(byAnyOf slots: [SlotRow]) -> FormerBackups {
        let kept = file.directory?.copies ?? []
        var recorded = Set((try? noted().map(\.path)) ?? [])
        if let keys = store.unlockedVault?.keys {
            for copy in kept { recorded.formUnion(NotedBackup.all(in: copy, keys).map(\.path)) }
        }
        return FormerBackups(of: slots, beside: kept, elsewhere: recorded.subtracting(kept).sorted())
    }

    private func dates(of noted: [NotedBackup]) -> [String: Timestamp] {
        Dictionary(noted.map { ($0.path, $0.made) }) { $1 }
    }

    private func noted() throws(VaultError) -> [NotedBackup] {
        try StoredSettingReader(store).get(NotedBackup.setting).map { NotedBackup.decode($0) } ?? []
    }

    // MARK: - Copying

    func copy(to path: String, _ progress: VaultProgress) throws(VaultError) -> BackupReport {
        try file.whileOpen { database throws(VaultError) in
            var copy = try VaultCopy(to: path, ofVaultIn: database.directory)
            defer { copy.discard() }
            let keys = store.unlockedVault?.keys
            let report = try database.access { connection throws(VaultError) in
                try copy.make(of: connection, keys: keys, progress)
            }
            try copy.publish()
            return report
        }
    }
}

/// A backup that was made and read back.
package struct BackupReport: Sendable {
    package let path: String
    /// Its length in bytes.
    package let length: Int
    /// How many records were opened in it; nil where the vault was locked and only the rows were compared.
    package let records: Int?
    /// What is wrong with the vault that was copied as it is; empty where it is intact, or was locked.
    package let findings: [VaultFinding]
}

/// A backup that exists.
package struct RecordedBackup: Hashable, Sendable {
    package let path: String
    /// nil for one that was made before a migration.
    package let made: Timestamp?
    /// Its length in bytes.
    package let length: Int
    package let isAutomatic: Bool
}
