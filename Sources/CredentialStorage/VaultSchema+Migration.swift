// SPDX-License-Identifier: Apache-2.0
internal import CSQLite

extension VaultSchema {
    /// Tells what the file is, refuses what is not ours or was written by a later version, and migrates what is older.
    static func migrate(
        _ connection: SQLConnection, isNew: Bool, beforeMigration: (SQLConnection) throws(VaultError) -> Void
    ) throws(VaultError) {
        let applied = try appliedMigrations(on: connection)
        let known = Set(migrations.map(\.name))
        if !isNew {
            guard try self.applicationID(of: connection) == applicationID else {
                throw .notAVault(path: connection.path)
            }
            if let later = applied.subtracting(known).sorted().first {
                // Migrations are named by their number.
                throw Int(later).map { $0 > known.count } ?? false
                    ? .newer(found: later) : .damaged(part: "list of migrations")
            }
        }
        if applied != known {
            if !isNew { try beforeMigration(connection) }
            try migrate(connection, from: applied)
        }
        guard try tables(on: connection) == expected() else { throw .damaged(part: "schema") }
    }

    /// Runs the migrations that are not applied yet, all in one transaction.
    private static func migrate(_ connection: SQLConnection, from applied: Set<String>) throws(VaultError) {
        try connection.transaction { () throws(VaultError) in
            try connection.run(migrationTable)
            let note = try SQLStatement("INSERT INTO grdb_migrations (identifier) VALUES (?1)", on: connection)
            for migration in migrations where !applied.contains(migration.name) {
                for statement in migration.statements { try connection.run(statement) }
                try note.run(.text(migration.name))
            }
            let orphan = try SQLStatement("PRAGMA foreign_key_check", on: connection).first { (_) in true }
            guard orphan == nil else { throw .damaged(part: "reference to another table") }
        }
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

    /// The same of a vault that was made now.
    private static func expected() throws(VaultError) -> [String] {
        let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE
        let connection = try SQLConnection(":memory:", at: ":memory:", flags: flags)
        try migrate(connection, from: [])
        return try tables(on: connection)
    }
}
