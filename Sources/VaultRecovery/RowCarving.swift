// SPDX-License-Identifier: Apache-2.0
internal import Credentials
internal import VaultFormat

/// Copies the rows that are on the pages of a damaged file.
enum RowCarving {
    /// Makes a new file with all rows on the pages of another one, whatever its header and its trees are.
    ///
    /// - Parameters:
    ///   - format: that of the rows; nil for the one that the file states, or the present one where it states none.
    ///   - complete: changes the copy, in the transaction that makes it.
    static func copyRows(
        of path: String, format: FormatVersion? = nil, to new: String, in directory: VaultDirectory,
        _ progress: VaultProgress, _ complete: (VaultStatements) throws(VaultError) -> Void = { _ in }
    ) throws(VaultError) {
        let pages = try DatabasePages(of: path, progress)
        var migrations: [UInt8] = []
        if format == nil {
            try pages.eachRow(progress) { row throws(VaultError) in
                migrations += [RowShape.migration(row)].compactMap(\.self)
            }
        }
        let format = format ?? migrations.max().flatMap { FormatVersion(rawValue: $0) } ?? .present
        try VaultDirectory.makeEmptyFile(new)
        let database = try VaultDatabase(path: new, in: directory, isNew: true, format: format)
        defer { database.close() }
        try progress.advance(to: 0, of: progress.count.all)
        try database.write { statements throws(VaultError) in
            let inserts = try database.access { connection throws(VaultError) in Self.inserts(on: connection) }
            try pages.eachRow(progress) { row throws(VaultError) in
                guard let table = RowShape.table(of: row), let insert = inserts[table] else { return }
                if table == "record" { try progress.advance() }
                // What cannot be inserted is no row.
                try? insert.run([.integer(row.key)] + row.values.dropFirst())
            }
            if try hasSync(database) { try database.beginSync() }
            try complete(statements)
        }
        try database.emptyLog()
    }

    /// Whether there is any record of the kind `sync`: only a vault in which it was started has one.
    private static func hasSync(_ database: VaultDatabase) throws(VaultError) -> Bool {
        try database.access { connection throws(VaultError) in
            try SQLStatement("SELECT 1 FROM record WHERE id >= x'08' AND id < x'09' LIMIT 1", on: connection).first {
                _ in
                true
            } ?? false
        }
    }

    /// Of two rows of one record the newer one stays.
    private static func inserts(on connection: SQLConnection) -> [String: SQLStatement] {
        var inserts: [String: SQLStatement] = [:]
        for (table, columns) in VaultSchema.columns {
            let names = columns.joined(separator: ", ")
            let values = columns.indices.map { "?\($0 + 1)" }.joined(separator: ", ")
            let newer =
                table == "record"
                ? """
                 ON CONFLICT (id) DO UPDATE SET lookup = excluded.lookup, version = excluded.version,
                  sealed = excluded.sealed WHERE excluded.version > record.version
                """ : ""
            inserts[table] = SQLStatement(
                "INSERT OR IGNORE INTO \(table) (\(names)) VALUES (\(values))\(newer)", on: connection)
        }
        return inserts
    }
}
