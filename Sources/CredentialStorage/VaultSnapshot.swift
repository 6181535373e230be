// SPDX-License-Identifier: Apache-2.0
internal import Crypto
internal import Foundation
internal import GRDBSQLite

/// A database file that nobody writes to, read as it is: nothing is made beside it.
struct VaultSnapshot {
    let connection: OpaquePointer
    private let path: String

    /// Lends the snapshot of the file at `path`, then closes it.
    static func read<Result>(
        _ path: String, followsLink: Bool = true, _ body: (VaultSnapshot) throws(VaultError) -> Result
    ) throws(VaultError) -> Result {
        try checkPlain(path, followsLink)
        let allowed = CharacterSet.urlPathAllowed.subtracting(CharacterSet(charactersIn: "?#;"))
        guard let escaped = path.addingPercentEncoding(withAllowedCharacters: allowed) else {
            throw .system(ENOENT, path: path)
        }
        var handle: OpaquePointer?
        let flags = SQLITE_OPEN_READONLY | SQLITE_OPEN_URI | SQLITE_OPEN_NOMUTEX
        defer { sqlite3_close_v2(handle) }
        guard sqlite3_open_v2("file:\(escaped)?immutable=1", &handle, flags, nil) == SQLITE_OK, let handle else {
            throw .sqlite(handle, path: path)
        }
        return try body(VaultSnapshot(connection: handle, path: path))
    }

    /// Refuses what is no plain file before SQLite opens it: at a FIFO that waits for a writer, for good.
    private static func checkPlain(_ path: String, _ followsLink: Bool) throws(VaultError) {
        var status = stat()
        guard (followsLink ? stat(path, &status) : lstat(path, &status)) == 0 else { throw .system(errno, path: path) }
        guard status.st_mode & S_IFMT == S_IFREG else { throw .failed(code: EINVAL) }
    }

    private init(connection: OpaquePointer, path: String) {
        self.connection = connection
        self.path = path
    }

    func slots() throws(VaultError) -> [SlotRow] {
        try SQLStatement(
            "SELECT id, kind, salt, cost, wrapped, checksum, note, failures FROM slot ORDER BY id", on: connection,
            path: path
        ).all { row throws(VaultError) in SlotRow(row) }
    }

    /// Looks at all of it.
    func check(keys: VaultKeys, _ progress: VaultProgress) throws(VaultError) -> CheckReport {
        try VaultInspection.report(
            on: connection, VaultStatements(on: connection, path: path), path: path, keys: keys, progress)
    }

    /// SHA-256 over all rows; equal for the vault and its backup.
    func digest() throws(VaultError) -> [UInt8] { try Self.digest(of: connection, path: path) }

    static func digest(of connection: OpaquePointer, path: String) throws(VaultError) -> [UInt8] {
        var hash = SHA256()
        for (table, columns) in VaultSchema.columns {
            let sql = "SELECT \(columns.joined(separator: ", ")) FROM \(table) ORDER BY 1"
            try SQLStatement(sql, on: connection, path: path).each([]) { row throws(VaultError) in
                for column in columns.indices { row.hash(Int32(column), into: &hash) }
                return true
            }
        }
        return Array(hash.finalize())
    }
}

extension SQLStatement.Row {
    /// A column with its type and length, so that no two rows hash alike.
    fileprivate func hash(_ column: Int32, into hash: inout SHA256) {
        if isInteger(column) {
            withUnsafeBytes(of: integer(column).bigEndian) { hash.update(bufferPointer: $0) }
        } else {
            let bytes = bytes(column)
            withUnsafeBytes(of: Int64(isNull(column) ? -1 : bytes.count).bigEndian) { hash.update(bufferPointer: $0) }
            hash.update(bufferPointer: bytes)
        }
    }
}
