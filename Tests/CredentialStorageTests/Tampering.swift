// SPDX-License-Identifier: Apache-2.0
import CSQLite
import Credentials
import Foundation

@testable import CredentialStorage
@testable import VaultFormat

/// What someone does to the file while no daemon runs.
enum Tampering {
    /// Runs SQL on a closed vault.
    static func execute(_ sql: String, on path: String) throws {
        try SQLConnection(path, at: path, flags: SQLITE_OPEN_READWRITE).run(sql)
    }

    /// Reads a value from a closed vault.
    static func integer(_ sql: String, on path: String) throws -> Int {
        let connection = try SQLConnection(path, at: path, flags: SQLITE_OPEN_READWRITE)
        return Int(try SQLStatement(sql, on: connection).first { row in row.integer(0) } ?? -1)
    }

    /// All rows of all tables, as text that SQLite makes of them: what the file means to a reader.
    static func content(of path: String) throws -> [String] {
        let connection = try SQLConnection(path, at: path, flags: SQLITE_OPEN_READONLY)
        var lines = try SQLStatement(
            "SELECT type || name || tbl_name || ifnull(sql, '') FROM sqlite_schema", on: connection
        ).all { row in row.text(0) }
        for (table, columns) in VaultSchema.columns + [("grdb_migrations", ["identifier"])] {
            let row = columns.map { "' \($0)=' || typeof(\($0)) || hex(\($0))" }.joined(separator: " || ")
            let sql = "SELECT '\(table)' || \(row) FROM \(table) NOT INDEXED ORDER BY rowid"
            lines += try SQLStatement(sql, on: connection).all { row in row.text(0) }
        }
        guard try VaultSchema.hasLookups(connection) else { return lines }
        return lines
            + (try SQLStatement("SELECT hex(tag), hex(id) FROM lookup NOT INDEXED ORDER BY tag, id", on: connection).all
            {
                "lookup \($0.text(0)) \($0.text(1))"
            })
    }

    /// The id as SQL writes it.
    static func literal(_ id: ObjectID) -> String {
        let hex = id.description.dropFirst(4)
        return "x'" + (id.kind.rawValue < 16 ? "0" : "") + String(id.kind.rawValue, radix: 16) + hex + "'"
    }

    /// The files of a vault as a process that is killed now leaves them.
    static func copyFiles(from source: String, to destination: TemporaryDirectory) throws {
        try FileManager.default.createDirectory(
            atPath: destination.path + "/data", withIntermediateDirectories: true)
        try? FileManager.default.removeItem(atPath: destination.vaultPath)
        try FileManager.default.copyItem(atPath: source, toPath: destination.vaultPath)
    }
}
