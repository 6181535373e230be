// SPDX-License-Identifier: Apache-2.0
package import Credentials

extension VaultSchema {
    /// Returns the format of the file, and refuses what is not ours or was written by a later version; changes nothing.
    package static func format(of connection: SQLConnection) throws(VaultError) -> FormatVersion {
        guard try self.applicationID(of: connection) == applicationID else {
            throw .notAVault(path: connection.path)
        }
        var applied = try appliedMigrations(on: connection)
        let names = migrations.map(\.name)
        if let later = applied.subtracting(names + [syncMigration]).sorted().first {
            // Migrations are named by their number.
            throw Int(later).map { $0 > names.count + 1 } ?? false
                ? .newer(found: later) : .damaged("list of migrations")
        }
        // Only a vault of the present format can have it.
        if applied.count > names.count { applied.remove(syncMigration) }
        guard let format = FormatVersion(rawValue: UInt8(applied.count)), applied == Set(names.prefix(applied.count))
        else {
            throw .damaged("list of migrations")
        }
        guard try tables(on: connection) == expected(format) else { throw .damaged("schema") }
        return format
    }

    /// Makes the tables of a new vault, in one transaction.
    package static func make(_ format: FormatVersion, on connection: SQLConnection) throws(VaultError) {
        try connection.transaction { () throws(VaultError) in
            try connection.run(migrationTable)
            for migration in migrations.prefix(Int(format.rawValue)) { try apply(migration, on: connection) }
        }
    }

    /// Makes the tables that the file does not have yet, and notes that it has seen all migrations, in a transaction of the
    /// caller's.
    package static func migrate(from format: FormatVersion, on connection: SQLConnection) throws(VaultError) {
        for migration in migrations.dropFirst(Int(format.rawValue)) { try apply(migration, on: connection) }
    }

    /// Whether sync was started in this vault.
    static func hasSync(_ connection: SQLConnection) throws(VaultError) -> Bool {
        try appliedMigrations(on: connection).contains(syncMigration)
    }

    /// Notes that sync is started, in a transaction of the caller's; older programs refuse the file from then on.
    package static func beginSync(on connection: SQLConnection) throws(VaultError) {
        guard try !hasSync(connection) else { return }
        try note(syncMigration, on: connection)
    }

    private static func apply(_ migration: Migration, on connection: SQLConnection) throws(VaultError) {
        for statement in migration.statements { try connection.run(statement) }
        try note(migration.name, on: connection)
    }

    private static func note(_ migration: String, on connection: SQLConnection) throws(VaultError) {
        try SQLStatement("INSERT INTO grdb_migrations (identifier) VALUES (?1)", on: connection).run(.text(migration))
    }

    private static func applicationID(of connection: SQLConnection) throws(VaultError) -> Int32 {
        let found = try SQLStatement("PRAGMA application_id", on: connection).first { row in row.integer(0) }
        return Int32(truncatingIfNeeded: found ?? 0)
    }

    private static func appliedMigrations(on connection: SQLConnection) throws(VaultError) -> Set<String> {
        let table = try SQLStatement(
            "SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = 'grdb_migrations'", on: connection
        ).first { (_) in true }
        guard table != nil else { return [] }
        return Set(
            try SQLStatement("SELECT identifier FROM grdb_migrations", on: connection).all { row in row.text(0) })
    }

    /// The definition of each table and index, as SQLite keeps it.
    static func tables(on connection: SQLConnection) throws(VaultError) -> [String] {
        try SQLStatement(
            """
            SELECT type || ' ' || name || ' ' || tbl_name || ' ' || ifnull(sql, '') FROM sqlite_schema
            ORDER BY 1
            """, on: connection
        ).all { row in row.text(0) }
    }

    /// Whether the file has the table of look-ups.
    static func hasLookups(_ connection: SQLConnection) throws(VaultError) -> Bool {
        try SQLStatement("SELECT 1 FROM sqlite_schema WHERE name = 'lookup'", on: connection).first { (_) in true }
            ?? false
    }

    /// The same of a vault that was made now, in a format: what `make` runs, without making one at every opening.
    package static func expected(_ format: FormatVersion) -> [String] {
        let made = [migrationTable] + migrations.prefix(Int(format.rawValue)).flatMap(\.statements)
        return (made.compactMap(definition) + keyIndexes).sorted()
    }

    /// The definition that a statement makes, as SQLite keeps it; nil for one that makes none.
    private static func definition(_ statement: String) -> String? {
        var words = statement.split(separator: " ", omittingEmptySubsequences: false)
        guard words.count > 4, words[0] == "CREATE" else { return nil }
        if words[2...4] == ["IF", "NOT", "EXISTS"] { words.removeSubrange(2...4) }
        let (kind, name) = (words[1].lowercased(), words[2])
        // CREATE INDEX name ON table(columns)
        let table = kind == "index" ? words[4].prefix { $0 != "(" } : name
        return "\(kind) \(name) \(table) \(words.joined(separator: " "))"
    }

    /// Of the keys that are no integers: SQLite gives them an index by itself.
    private static let keyIndexes = ["grdb_migrations", "record"].map { "index sqlite_autoindex_\($0)_1 \($0) " }
}
