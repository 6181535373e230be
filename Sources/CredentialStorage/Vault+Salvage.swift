// SPDX-License-Identifier: Apache-2.0
internal import Glibc

extension Vault {
    /// Copies every row that is in the file into a new one, which takes the damaged one's place.
    ///
    /// - Returns: where the damaged file is now; nil for a vault in memory.
    func copyIntoNewFile(_ progress: VaultProgress) throws(VaultError) -> String? {
        guard case .directory(let path) = location else { return nil }
        let directory = VaultDirectory(path: path)
        let old = try database
        try old.checkIdentity()
        // What it cannot be written back of is read from the log.
        try? old.emptyLog()
        do throws(VaultError) {
            try Self.copyRows(of: old.path, format: old.format, to: directory.draft, in: directory, progress)
        } catch {
            try? VaultDirectory.removeDatabase(directory.draft)
            throw error
        }
        return try exchange(directory, withReleases: false).replaced
    }

    /// Makes a new file with all rows that lie on the pages of another one, whatever its header and its trees say.
    ///
    /// - Parameter format: that of the rows; nil for what the file itself says, or what is written now where it does not.
    static func copyRows(
        of path: String, format: VaultFormat? = nil, to new: String, in directory: VaultDirectory,
        _ progress: VaultProgress
    ) throws(VaultError) {
        let pages = try DatabasePages(of: path)
        var migrations: [UInt8] = []
        if format == nil {
            try pages.eachRow { row throws(VaultError) in migrations += [RowShape.migration(row)].compactMap(\.self) }
        }
        let format = format ?? migrations.max().flatMap { VaultFormat(rawValue: $0) } ?? .present
        try VaultDirectory.makeEmptyFile(new)
        let database = try VaultDatabase(path: new, in: directory, isNew: true, format: format)
        defer { database.close() }
        try progress.advance(to: 0, of: progress.count.all)
        try database.write { statements throws(VaultError) in
            let inserts = try database.access { connection throws(VaultError) in try Self.inserts(on: connection) }
            try pages.eachRow { row throws(VaultError) in
                guard let table = RowShape.table(of: row), let insert = inserts[table] else { return }
                if table == "record" { try progress.advance() }
                // What no table takes is no row.
                try? insert.run([.integer(row.key)] + row.values.dropFirst())
            }
        }
        try database.emptyLog()
    }

    /// Of two rows of one record the newer one stays.
    private static func inserts(on connection: SQLConnection) throws(VaultError) -> [String: SQLStatement] {
        var inserts: [String: SQLStatement] = [:]
        for (table, columns) in VaultSchema.columns {
            let names = columns.joined(separator: ", ")
            let places = columns.indices.map { "?\($0 + 1)" }.joined(separator: ", ")
            let newer =
                table == "record"
                ? """
                 ON CONFLICT (id) DO UPDATE SET lookup = excluded.lookup, version = excluded.version,
                  sealed = excluded.sealed WHERE excluded.version > record.version
                """ : ""
            inserts[table] = try SQLStatement(
                "INSERT OR IGNORE INTO \(table) (\(names)) VALUES (\(places))\(newer)", on: connection)
        }
        return inserts
    }
}

extension VaultDirectory {
    /// Moves a database to where it is kept out of use, under a name of its own.
    func putAside(_ database: String) throws(VaultError) -> String {
        try Self.make(replaced)
        let kept = Self.freshName(in: replaced)
        do throws(VaultError) {
            for suffix in ["", "-wal"] where access(database + suffix, F_OK) == 0 {
                // A second name, where the file system has such: so the vault keeps its first one until another takes
                // that over, and a kill in between leaves one of the two in place. A log must not stay beside the
                // other, though.
                let isLinked = link(database + suffix, kept + suffix) == 0
                guard isLinked || Glibc.rename(database + suffix, kept + suffix) == 0 else {
                    throw .system(errno, path: kept + suffix)
                }
                if isLinked, !suffix.isEmpty { try Self.remove(database + suffix) }
            }
            try Self.synchronize(replaced)
        } catch {
            putBack(kept)
            throw error
        }
        return kept
    }

    /// Undoes `putAside`, as far as nothing but the `draft` has taken the vault's place.
    func putBack(_ kept: String, over draft: FileIdentity? = nil) {
        let present = FileIdentity(of: database)
        if let present, present != draft {
            guard present == FileIdentity(of: kept) else { return }
            try? Self.remove(kept)
        } else {
            // What was to take its place must leave no log beside it.
            if present != nil { try? Self.remove(database + "-wal") }
            try? rename(kept, to: database)
        }
        if access(kept + "-wal", F_OK) == 0, access(database + "-wal", F_OK) != 0 {
            try? rename(kept + "-wal", to: database + "-wal")
        }
        // The new vault's may be there already: nothing was written to it.
        let releases = Self.releaseLog(of: kept)
        if access(releases, F_OK) == 0 { try? rename(releases, to: releaseLog) }
    }

    /// Undoes what a killed process has begun: a vault in the making goes, and one that was being put aside has its one name
    /// again.
    func tidy() {
        try? Self.removeDatabase(draft)
        removeBench()
        guard let vault = FileIdentity(of: database) else { return }
        for name in Self.names(in: replaced) where FileIdentity(of: replaced + "/" + name) == vault {
            putBack(replaced + "/" + name)
        }
    }

    /// Where a vault that was put aside has what was not in it yet of its record of releases.
    static func releaseLog(of kept: String) -> String { kept + ".releases" }

    /// `vault-1.sqlite`, or the next number that is free. Numbers, because a date would be a time in clear.
    static func freshName(in directory: String) -> String {
        let names = Self.names(in: directory)
        let last = names.compactMap(number(of:)).max() ?? 0
        return directory + "/vault-\(last + 1).sqlite"
    }

    /// The number in such a name. Anyone may put a file there: a number that cannot have come of counting is none.
    static func number(of name: String) -> Int? {
        guard name.hasPrefix("vault-") else { return nil }
        let number = Int(name.dropFirst("vault-".count).prefix { $0 != "." })
        return number.flatMap { (0..<1 << 53).contains($0) ? $0 : nil }
    }
}
