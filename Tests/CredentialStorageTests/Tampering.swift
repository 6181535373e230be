// SPDX-License-Identifier: Apache-2.0
import CredentialStorage
import Credentials
import Foundation
import GRDB
import GRDBSQLite

/// What someone does to the file while no daemon runs.
enum Tampering {
    /// Runs SQL on a closed vault.
    static func execute(_ sql: String, on path: String) throws {
        let queue = try DatabaseQueue(path: path)
        try queue.writeWithoutTransaction { try $0.execute(sql: sql) }
        try queue.close()
    }

    /// Reads a value from a closed vault.
    static func integer(_ sql: String, on path: String) throws -> Int {
        let queue = try DatabaseQueue(path: path)
        defer { try? queue.close() }
        return try queue.inDatabase { try Int.fetchOne($0, sql: sql) } ?? -1
    }

    /// All rows of all tables, as text: what the file means to a reader.
    static func content(of path: String) throws -> [String] {
        var configuration = Configuration()
        configuration.readonly = true
        let queue = try DatabaseQueue(path: path, configuration: configuration)
        defer { try? queue.close() }
        return try queue.inDatabase { database in
            var lines = try String.fetchAll(
                database, sql: "SELECT type || name || tbl_name || ifnull(sql, '') FROM sqlite_schema")
            for table in ["slot", "record", "manifest", "release", "quarantine", "grdb_migrations"] {
                for row in try Row.fetchAll(database, sql: "SELECT * FROM \(table) NOT INDEXED ORDER BY rowid") {
                    lines.append(table + row.map { "\($0.0)=\(Self.text($0.1))" }.joined(separator: ","))
                }
            }
            return lines
        }
    }

    private static func text(_ value: DatabaseValue) -> String {
        switch value.storage {
        case .null: "null"
        case .int64(let number): "i\(number)"
        case .double(let number): "d\(number)"
        case .string(let text): "s\(text)"
        case .blob(let data): "b\(data.base64EncodedString())"
        }
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
