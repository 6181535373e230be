// SPDX-License-Identifier: Apache-2.0
internal import CSQLite
package import Credentials
internal import Crypto
internal import Glibc

/// A database file that nobody writes to, opened read-only: no file is made beside it.
package struct VaultSnapshot {
    package let connection: SQLConnection

    /// Calls `body` with the snapshot of the file at `path`, then closes it.
    package static func read<Result>(
        _ path: String, followsLink: Bool = true, _ body: (VaultSnapshot) throws(VaultError) -> Result
    ) throws(VaultError) -> Result {
        try checkPlain(path, followsLink)
        let uri = uri(ofFileAt: path) + "?immutable=1"
        let connection = try SQLConnection(uri, at: path, flags: SQLITE_OPEN_READONLY | SQLITE_OPEN_URI)
        return try body(VaultSnapshot(connection: connection))
    }

    /// The URI of a file, as SQLite reads it. What is not unreserved (RFC 3986, section 2.3) or a slash is percent-encoded.
    static func uri(ofFileAt path: String) -> String {
        // The empty authority keeps a path that begins with two slashes from naming a host.
        var uri = Array((path.hasPrefix("/") ? "file://" : "file:").utf8)
        let digits = Array("0123456789ABCDEF".utf8)
        for byte in path.utf8 {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
                UInt8(ascii: "~"), UInt8(ascii: "/"):
                uri.append(byte)
            default: uri += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
            }
        }
        return String(decoding: uri, as: UTF8.self)
    }

    /// Refuses what is no plain file before SQLite opens it, as opening a FIFO waits for a writer without end.
    private static func checkPlain(_ path: String, _ followsLink: Bool) throws(VaultError) {
        var status = stat()
        guard (followsLink ? stat(path, &status) : lstat(path, &status)) == 0 else { throw .system(errno, path: path) }
        guard status.st_mode & S_IFMT == S_IFREG else { throw .failed(code: EINVAL) }
    }

    package func slots() throws(VaultError) -> [SlotRow] {
        // A view of that name may run without end.
        let tables = try SQLStatement(
            "SELECT rowid FROM sqlite_schema WHERE name = 'slot' AND type = 'table'", on: connection
        ).all { row throws(VaultError) in row.integer(0) }
        guard !tables.isEmpty else { throw .damaged("schema") }
        return try SQLStatement(
            "SELECT id, kind, salt, cost, wrapped, checksum, note, failures FROM slot ORDER BY id", on: connection
        ).all { row throws(VaultError) in SlotRow(row) }
    }

    /// Checks everything.
    package func check(
        keys: VaultKeys, root: ManifestRoot? = nil, hasUntrustedRoot: Bool = false, _ progress: VaultProgress
    ) throws(VaultError) -> CheckReport {
        try VaultInspection.report(
            on: connection, VaultStatements(on: connection), keys: keys, root: root, hasUntrustedRoot: hasUntrustedRoot,
            progress)
    }

    /// SHA-256 over all rows; equal for the vault and its backup.
    package func digest() throws(VaultError) -> [UInt8] { try Self.digest(of: connection) }

    package static func digest(of connection: SQLConnection) throws(VaultError) -> [UInt8] {
        var hash = SHA256()
        let lookups = try VaultSchema.hasLookups(connection) ? [VaultSchema.lookups] : []
        for (table, columns) in VaultSchema.columns + lookups {
            let sql = "SELECT \(columns.joined(separator: ", ")) FROM \(table) ORDER BY 1, 2"
            try SQLStatement(sql, on: connection).each([]) { row throws(VaultError) in
                for column in columns.indices { row.hash(Int32(column), into: &hash) }
                return true
            }
        }
        return Array(hash.finalize())
    }
}

extension SQLStatement.Row {
    /// A column with its type and length, so that no two different rows have the same hash.
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
