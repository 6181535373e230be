// SPDX-License-Identifier: Apache-2.0
import CSQLite

/// The time that SQLite alone needs to insert a row of the same size and commit it: one table, no index, the same
/// durability.
package final class BareDatabase {
    private var connection: OpaquePointer?
    private var statements: [OpaquePointer?] = []

    package init(path: String) {
        sqlite3_open(path, &connection)
        for pragma in ["locking_mode=EXCLUSIVE", "journal_mode=WAL", "synchronous=FULL"] {
            sqlite3_exec(connection, "PRAGMA \(pragma)", nil, nil, nil)
        }
        sqlite3_exec(
            connection,
            "CREATE TABLE record (number INTEGER PRIMARY KEY, id BLOB, lookup BLOB, version INTEGER, sealed BLOB)",
            nil, nil, nil)
        for sql in [
            "BEGIN IMMEDIATE", "INSERT INTO record (id, lookup, version, sealed) VALUES (?1, ?2, 1, ?3)", "COMMIT",
        ] {
            var statement: OpaquePointer?
            sqlite3_prepare_v2(connection, sql, -1, &statement, nil)
            statements.append(statement)
        }
    }

    deinit {
        for statement in statements { sqlite3_finalize(statement) }
        sqlite3_close(connection)
    }

    package func insert(id: [UInt8], lookup: [UInt8], sealed: [UInt8]) {
        for (index, statement) in statements.enumerated() {
            if index == 1 {
                for (column, bytes) in [id, lookup, sealed].enumerated() {
                    _ = bytes.withUnsafeBytes { bytes in
                        sqlite3_bind_blob(
                            statement, Int32(column + 1), bytes.baseAddress, Int32(bytes.count),
                            af_sqlite_transient())
                    }
                }
            }
            sqlite3_step(statement)
            sqlite3_reset(statement)
        }
    }
}
