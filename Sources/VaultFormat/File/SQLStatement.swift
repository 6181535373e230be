// SPDX-License-Identifier: Apache-2.0
internal import CSQLite
package import Credentials

/// A statement that is prepared at its first use, and keeps its connection open: no look-up by SQL text, no row objects, no copies
/// on reading. Always run to the end of `run`, `first` or `each`, which reset it.
package final class SQLStatement {
    private let sql: String
    private var prepared: OpaquePointer?
    private let connection: SQLConnection

    package init(_ sql: String, on connection: SQLConnection) {
        self.sql = sql
        self.connection = connection
    }

    deinit { sqlite3_finalize(prepared) }

    /// Half of a vault's statements are not run between its unlocking and its lock: to prepare them all took as long as opening it.
    private var handle: OpaquePointer {
        get throws(VaultError) {
            if let prepared { return prepared }
            let flags = UInt32(SQLITE_PREPARE_PERSISTENT)
            // In a local: with its address passed to C, each access to the property would be checked.
            var new: OpaquePointer?
            let code = sqlite3_prepare_v3(connection.handle, sql, -1, flags, &new, nil)
            guard code == SQLITE_OK, let new else { throw connection.error }
            prepared = new
            return new
        }
    }

    /// A value for `?1`, `?2`, …
    package enum Value {
        case integer(Int64)
        case bytes([UInt8])
        case text(String)
        case null
    }

    /// Runs to the end; rows, if any, are passed over.
    package func run(_ values: Value...) throws(VaultError) { try run(values) }

    package func run(_ values: [Value]) throws(VaultError) {
        try each(values) { (_) throws(VaultError) in true }
    }

    /// How many rows the last change on the connection has changed.
    package var changedRows: Int { Int(sqlite3_changes(connection.handle)) }

    /// The first row, read by `body`; nil where there is none.
    package func first<Result>(
        _ values: Value..., read body: (borrowing Row) throws(VaultError) -> Result
    ) throws(VaultError) -> Result? {
        var result: Result?
        try each(values) { row throws(VaultError) in
            result = try body(row)
            return false
        }
        return result
    }

    /// The first row for one key, read by `body`. The key stays bound until the next one. Inlined: else each result is copied.
    @inlinable package func first<Result>(
        key: [UInt8], read body: (borrowing Row) throws(VaultError) -> Result
    ) throws(VaultError) -> Result? {
        defer { reset() }
        guard let row = try row(of: .bytes(key)) else { return nil }
        return try body(row)
    }

    /// The same for a number.
    @inlinable package func first<Result>(
        number: Int64, read body: (borrowing Row) throws(VaultError) -> Result
    ) throws(VaultError) -> Result? {
        defer { reset() }
        guard let row = try row(of: .integer(number)) else { return nil }
        return try body(row)
    }

    @usableFromInline func row(of key: Value) throws(VaultError) -> Row? {
        let handle = try handle
        Self.bind(key, at: 1, of: handle)
        switch sqlite3_step(handle) {
        case SQLITE_ROW: return Row(handle: handle)
        case SQLITE_DONE: return nil
        default: throw connection.error
        }
    }

    @usableFromInline func reset() { sqlite3_reset(prepared) }

    /// All rows, each read by `body`.
    package func all<Result>(
        _ values: Value..., read body: (borrowing Row) throws(VaultError) -> Result
    ) throws(VaultError) -> [Result] {
        var results: [Result] = []
        try each(values) { row throws(VaultError) in
            results.append(try body(row))
            return true
        }
        return results
    }

    /// Calls `body` for each row until it returns false.
    package func each(_ values: [Value], _ body: (borrowing Row) throws(VaultError) -> Bool) throws(VaultError) {
        let handle = try handle
        Self.bind(values, of: handle)
        defer {
            sqlite3_reset(handle)
            sqlite3_clear_bindings(handle)
        }
        while true {
            switch sqlite3_step(handle) {
            case SQLITE_ROW: guard try body(Row(handle: handle)) else { return }
            case SQLITE_DONE: return
            default: throw connection.error
            }
        }
    }

    private static func bind(_ values: [Value], of handle: OpaquePointer) {
        for (index, value) in values.enumerated() { bind(value, at: Int32(index + 1), of: handle) }
    }

    private static func bind(_ value: Value, at position: Int32, of handle: OpaquePointer) {
        switch value {
        case .integer(let number): sqlite3_bind_int64(handle, position, number)
        case .bytes(let bytes): bytes.withUnsafeBytes { bind($0, at: position, of: handle) }
        case .text(let text): sqlite3_bind_text(handle, position, text, -1, af_sqlite_transient())
        case .null: sqlite3_bind_null(handle, position)
        }
    }

    private static func bind(_ bytes: UnsafeRawBufferPointer, at position: Int32, of handle: OpaquePointer) {
        guard let base = bytes.baseAddress else {
            sqlite3_bind_zeroblob(handle, position, 0)
            return
        }
        sqlite3_bind_blob64(handle, position, base, sqlite3_uint64(bytes.count), af_sqlite_transient())
    }

    /// The current row of a statement; valid only inside the closure that it is given to.
    package struct Row: ~Copyable {
        fileprivate let handle: OpaquePointer

        package func integer(_ column: Int32) -> Int64 { sqlite3_column_int64(handle, column) }

        func isInteger(_ column: Int32) -> Bool { sqlite3_column_type(handle, column) == SQLITE_INTEGER }

        func isNull(_ column: Int32) -> Bool { sqlite3_column_type(handle, column) == SQLITE_NULL }

        /// The bytes in SQLite's own memory; empty where the column is not a blob or a text.
        package func bytes(_ column: Int32) -> UnsafeRawBufferPointer {
            let start = sqlite3_column_blob(handle, column)
            return UnsafeRawBufferPointer(
                start: start, count: start == nil ? 0 : Int(sqlite3_column_bytes(handle, column)))
        }

        /// The column as it is, for another statement.
        package func value(_ column: Int32) -> Value {
            switch sqlite3_column_type(handle, column) {
            case SQLITE_INTEGER: .integer(integer(column))
            case SQLITE_TEXT: .text(text(column))
            case SQLITE_BLOB: .bytes(copy(column))
            default: .null
            }
        }

        package func copy(_ column: Int32) -> [UInt8] { Array(bytes(column)) }

        package func text(_ column: Int32) -> String { String(decoding: bytes(column), as: UTF8.self) }
    }
}

extension ObjectID {
    /// The kind's number and the 128 bits, as a record's row has them.
    package var stored: [UInt8] {
        [UInt8](unsafeUninitializedCapacity: 17) { buffer, count in
            let memory = UnsafeMutableRawBufferPointer(buffer)
            memory.storeBytes(of: kind.rawValue, as: UInt8.self)
            memory.storeBytes(of: high.bigEndian, toByteOffset: 1, as: UInt64.self)
            memory.storeBytes(of: low.bigEndian, toByteOffset: 9, as: UInt64.self)
            count = 17
        }
    }

    package init?(stored bytes: UnsafeRawBufferPointer) {
        guard bytes.count == 17 else { return nil }
        var reader = BinaryReader(bytes)
        guard let id = reader.id() else { return nil }
        self = id
    }
}
