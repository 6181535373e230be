// SPDX-License-Identifier: Apache-2.0
internal import GRDB

extension VaultSchema {
    /// Tells what the file is, refuses what is not ours or was written by a later version, and migrates what is older.
    static func migrate(
        _ queue: DatabaseQueue, path: String, isNew: Bool,
        beforeMigration: (DatabaseQueue) throws(VaultError) -> Void
    ) throws(VaultError) {
        let found = try state(of: queue, path: path)
        if !isNew {
            guard found.applicationID == applicationID else { throw .notAVault(path: path) }
            let known = Set(migrator.migrations)
            if let later = found.migrations.subtracting(known).sorted().first {
                // Migrations are named by their number.
                throw Int(later).map { $0 > known.count } ?? false
                    ? .newer(found: later) : .damaged(part: "list of migrations")
            }
            if found.migrations != known { try beforeMigration(queue) }
        }
        if isNew || found.migrations != Set(migrator.migrations) {
            do { try migrator.migrate(queue) } catch { throw .grdb(error, path: path) }
        }
        guard try tables(of: queue, path: path) == expected() else { throw .damaged(part: "schema") }
    }

    private struct State {
        var applicationID: Int32
        var migrations: Set<String>
    }

    private static func state(of queue: DatabaseQueue, path: String) throws(VaultError) -> State {
        do {
            return try queue.inDatabase { database in
                State(
                    applicationID: try Int32.fetchOne(database, sql: "PRAGMA application_id") ?? 0,
                    migrations: try migrator.appliedIdentifiers(database))
            }
        } catch { throw .grdb(error, path: path) }
    }

    /// The definition of each table and index, as SQLite keeps it.
    static func tables(of queue: DatabaseQueue, path: String) throws(VaultError) -> [String] {
        do {
            return try queue.inDatabase { database in
                try String.fetchAll(
                    database,
                    sql: """
                        SELECT type || ' ' || name || ' ' || tbl_name || ' ' || ifnull(sql, '') FROM sqlite_schema
                        ORDER BY 1
                        """)
            }
        } catch { throw .grdb(error, path: path) }
    }

    /// The same of a vault that was made now.
    private static func expected() throws(VaultError) -> [String] {
        do {
            let queue = try DatabaseQueue()
            try migrator.migrate(queue)
            return try tables(of: queue, path: ":memory:")
        } catch { throw .grdb(error, path: ":memory:") }
    }
}
