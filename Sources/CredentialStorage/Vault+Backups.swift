// SPDX-License-Identifier: Apache-2.0
internal import CAutofillLinux
package import Credentials
internal import Glibc
internal import SecretMemory

/// A backup that was made and read back.
package struct BackupReport: Sendable {
    package let path: String
    /// Its length in bytes.
    package let length: Int
    /// How many records were opened in it; nil where the vault was locked and only the rows were compared.
    package let records: Int?
    /// What is wrong with the vault that was copied as it is; empty where it is sound, or was locked.
    package let findings: [VaultFinding]
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
        if unlockedParts != nil { try syncReleases(at: nil, uses: .max) }
        let report = try copy(to: path, progress)
        // It is whole and there, whatever the vault can still be told.
        if unlockedParts != nil { try? note(backup: path, at: now) }
        return report
    }

    /// Makes an automatic backup where the last one is older than `interval`, and removes the oldest ones but `count`.
    ///
    /// - Returns: nil where none was due.
    package func backUpIfDue(
        keeping count: Int, every interval: Int64 = 86_400_000, at now: Timestamp,
        _ progress: VaultProgress = VaultProgress()
    ) throws(VaultError) -> BackupReport? {
        guard let path = try dueBackup(keeping: count, every: interval, at: now) else { return nil }
        let report = try backup(to: path, at: now, progress)
        // Those from before the damage must not go.
        if report.findings.isEmpty { try removeOldBackups(keeping: count) }
        return report
    }

    // MARK: - In parts, for a copy that another thread makes

    /// Where the automatic backup goes that is due now; nil where none is.
    package func dueBackup(
        keeping count: Int, every interval: Int64 = 86_400_000, at now: Timestamp
    ) throws(VaultError) -> String? {
        guard case .directory(let path) = location, count > 0 else { return nil }
        let directory = VaultDirectory(path: path)
        let last = try notedBackups().filter { $0.path.hasPrefix(directory.backups + "/") }.map(\.made).max()
        // One that is dated later than now was made under a wrong clock.
        if let last, (0..<interval).contains(now.milliseconds - last.milliseconds) { return nil }
        try VaultDirectory.make(directory.backups)
        return VaultDirectory.freshName(in: directory.backups)
    }

    /// Remembers a backup that was made.
    package func note(backup path: String, at now: Timestamp) throws(VaultError) {
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

    /// Removes the oldest automatic backups but `count`.
    package func removeOldBackups(keeping count: Int) throws(VaultError) {
        for old in automaticBackups.dropLast(count) { try VaultDirectory.remove(old) }
    }

    // MARK: - What was made

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

    /// The paths of all that a secret of one of these slots, as they were, still opens: of what is kept beside the vault, and
    /// of the backups that it knows of, or a vault that it took the place of.
    func backups(openedByAnyOf slots: [SlotRow]) -> [String] {
        var kept: [String] = []
        if case .directory(let path) = location { kept = VaultDirectory(path: path).copies }
        var known = Set(kept)
        known.formUnion((try? notedBackups().map(\.path)) ?? [])
        if let keys = unlockedParts?.keys { for copy in kept { known.formUnion(Self.notedBackups(in: copy, keys)) } }
        return known.sorted().filter { path in
            var found = try? VaultSnapshot.read(path) { (snapshot) throws(VaultError) in try snapshot.slots() }
            // A damaged one still has what can be salvaged of it.
            if found == nil { found = try? DatabasePages(of: path).slots() }
            return found?.contains { one in slots.contains { $0.kind == one.kind && $0.salt == one.salt } } ?? false
        }
    }

    // MARK: - Copying

    package func copy(to path: String, _ progress: VaultProgress) throws(VaultError) -> BackupReport {
        try whileOpen { database throws(VaultError) in
            var copy = try VaultCopy(to: path, ofVaultIn: database.directory)
            defer { copy.discard() }
            let keys = unlockedParts?.keys
            let report = try database.access { connection throws(VaultError) in
                try copy.make(of: connection, keys: keys, progress)
            }
            try copy.publish()
            return report
        }
    }

    // MARK: - What is remembered

    private static let backupsSetting = "backups"
    private static let notedLimit = 100

    private func notedBackups() throws(VaultError) -> [(path: String, made: Timestamp)] {
        try setting(Self.backupsSetting).map { Self.notedBackups($0) } ?? []
    }

    /// The same of another vault with the same key; none where that is not so.
    private static func notedBackups(in path: String, _ keys: VaultKeys) -> [String] {
        let noted = try? VaultSnapshot.read(path) { (snapshot) throws(VaultError) -> SecretBytes? in
            let keys = VaultKeys(vaultKey: keys.vaultKey, format: try VaultSchema.format(of: snapshot.connection))
            let index = StoredSetting.blindIndex(name: backupsSetting, key: keys.index)
            let statements = try VaultStatements(on: snapshot.connection)
            return try statements.records.byLookup.first(key: index.bytes) { row throws(VaultError) -> SecretBytes? in
                guard let id = ObjectID(stored: row.bytes(0)) else { return nil }
                let version = UInt64(bitPattern: row.integer(2))
                let associated = AssociatedData.record(id, version: version, lookup: row.bytes(1))
                let opened = try Sealing.open(row.bytes(3), key: keys.records, associated: associated) { plain in
                    parse(plain, id: id, version: version, as: StoredSetting.self)?.value
                }
                return opened ?? nil
            } ?? nil
        }
        return (noted ?? nil).map { notedBackups($0).map(\.path) } ?? []
    }

    private static func notedBackups(_ value: SecretBytes) -> [(path: String, made: Timestamp)] {
        value.withUnsafeBytes { bytes in
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
        let names = Self.names(in: backups)
        return names.filter { $0.hasSuffix(".sqlite") }
            .compactMap { name in Self.number(of: name).map { ($0, backups + "/" + name) } }
            .sorted { $0.0 < $1.0 }.map(\.1)
    }

    /// What may be another vault beside this one: backups, those that were put aside, and one in the making.
    var copies: [String] {
        [path, backups, replaced].flatMap { folder in Self.names(in: folder).map { folder + "/" + $0 } }
            .filter { $0 != database && !$0.hasSuffix("-wal") && !$0.hasSuffix(".releases") && !$0.hasSuffix(".lock") }
            .sorted()
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
