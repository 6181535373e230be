// SPDX-License-Identifier: Apache-2.0
internal import Glibc

extension Vault {
    /// Copies every row that can be read into a new file, which takes the damaged one's place.
    ///
    /// - Returns: where the damaged file is now; nil for a vault in memory.
    func copyIntoNewFile(_ progress: VaultProgress) throws(VaultError) -> String? {
        guard case .directory(let path) = location else { return nil }
        let directory = VaultDirectory(path: path)
        let old = try database
        try old.checkIdentity()
        try directory.makeDraft()
        let new = try VaultDatabase(path: directory.draft, in: directory, isNew: true)
        do throws(VaultError) {
            try copyRows(from: old, to: new, progress)
            try new.emptyLog()
        } catch {
            new.close()
            try? VaultDirectory.removeDatabase(directory.draft)
            throw error
        }
        new.close()
        return try exchange(directory, withReleases: false).replaced
    }

    private func copyRows(
        from old: VaultDatabase, to new: VaultDatabase, _ progress: VaultProgress
    ) throws(VaultError) {
        try progress.advance(to: 0, of: progress.count.all)
        try new.access { connection throws(VaultError) in
            try new.statements.transaction.begin.run()
            for (table, columns) in VaultSchema.columns {
                try copy(table, columns, from: old, to: connection, progress)
            }
            try new.statements.transaction.commit.run()
        }
    }

    /// Goes through a table by its integer key, beginning behind the last row that could be read: an unreadable page costs
    /// the rows on it.
    private func copy(
        _ table: String, _ columns: [String], from old: VaultDatabase, to connection: SQLConnection,
        _ progress: VaultProgress
    ) throws(VaultError) {
        let names = columns.joined(separator: ", ")
        let places = columns.indices.map { "?\($0 + 1)" }.joined(separator: ", ")
        let insert = try SQLStatement(
            "INSERT OR IGNORE INTO \(table) (\(names)) VALUES (\(places))", on: connection)
        try old.access { source throws(VaultError) in
            let forward = try SQLStatement(
                "SELECT \(names) FROM \(table) NOT INDEXED WHERE \(columns[0]) >= ?1 ORDER BY \(columns[0])",
                on: source)
            let one = try SQLStatement(
                "SELECT \(names) FROM \(table) NOT INDEXED WHERE \(columns[0]) = ?1", on: source)
            var position = Int64.min
            var misses = 0
            func take(_ row: borrowing SQLStatement.Row) throws(VaultError) -> Bool {
                try insert.run(columns.indices.map { row.value(Int32($0)) })
                if table == "record" { try progress.advance() }
                position = row.integer(0)
                misses = 0
                return true
            }
            while misses < Self.longestGap {
                do throws(VaultError) {
                    return try forward.each([.integer(position == .min ? .min : position + 1)], take)
                } catch { guard error.isOfOldFile else { throw error } }
                // The page behind `position` is unreadable: look for the next row that is.
                position = max(position, 0)
                var isFound = false
                while misses < Self.longestGap, !isFound {
                    position += 1
                    misses += 1
                    do throws(VaultError) {
                        let found = try one.first(.integer(position)) { row throws(VaultError) in try take(row) }
                        isFound = found != nil
                    } catch { guard error.isOfOldFile else { throw error } }
                }
            }
        }
    }

    /// How many numbers in a row may be unreadable before the rest of a table is given up: more than an inner page has below
    /// it.
    private static let longestGap = 20_000
}

extension VaultError {
    /// Reading failed for what is in the file.
    fileprivate var isOfOldFile: Bool { if case .damaged = self { true } else { false } }
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
        let logs = [(kept + "-wal", database + "-wal"), (Self.releaseLog(of: kept), releaseLog)]
        for (old, new) in logs where access(old, F_OK) == 0 && access(new, F_OK) != 0 { try? rename(old, to: new) }
    }

    /// Undoes what a killed process has begun: a vault in the making goes, and one that was being put aside has its one name
    /// again.
    func tidy() {
        try? Self.removeDatabase(draft)
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
