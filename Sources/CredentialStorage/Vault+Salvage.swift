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
            let inserts = try database.access { connection throws(VaultError) in Self.inserts(on: connection) }
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
    private static func inserts(on connection: SQLConnection) -> [String: SQLStatement] {
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
            inserts[table] = SQLStatement(
                "INSERT OR IGNORE INTO \(table) (\(names)) VALUES (\(places))\(newer)", on: connection)
        }
        return inserts
    }
}
