// SPDX-License-Identifier: Apache-2.0
internal import CSQLite
internal import SecretMemory

/// A SQLite database that is read from memory, whoever has made it: no file, no virtual table, no function that its
/// schema could misuse.
final class MemoryDatabase {
    static let signature = Array("SQLite format 3\0".utf8)

    private let connection: OpaquePointer
    /// SQLite reads it in place.
    private let content: SecretBytes

    init(_ file: UnsafeRawBufferPointer) throws(ConversionError) {
        guard Self.isWhole(file) else { throw ConversionError(.damaged) }
        content = SecretBytes(count: file.count) { memory in
            memory.copyMemory(from: file)
            // A journal beside the file is not here: the database is read as one without write-ahead log.
            if memory.count > 19 { (memory[18], memory[19]) = (1, 1) }
        }
        var opened: OpaquePointer?
        let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_MEMORY | SQLITE_OPEN_NOMUTEX
        guard sqlite3_open_v2(":memory:", &opened, flags, nil) == SQLITE_OK, let opened else {
            sqlite3_close_v2(opened)
            throw ConversionError(.damaged)
        }
        connection = opened
        let size = Int64(content.count)
        let code = content.withUnsafeBytes { bytes in
            let start = UnsafeMutableRawPointer(mutating: bytes.baseAddress)?.assumingMemoryBound(to: UInt8.self)
            return sqlite3_deserialize(opened, "main", start, size, size, UInt32(SQLITE_DESERIALIZE_READONLY))
        }
        sqlite3_limit(opened, SQLITE_LIMIT_LENGTH, Int32(ConversionLimits.valueBytes))
        let settings = "PRAGMA trusted_schema = OFF; PRAGMA cell_size_check = ON; PRAGMA temp_store = MEMORY"
        guard code == SQLITE_OK, sqlite3_exec(opened, settings, nil, nil, nil) == SQLITE_OK else {
            throw ConversionError(.damaged)
        }
    }

    deinit { sqlite3_close_v2(connection) }

    /// Whether the file has all pages that its header counts; SQLite notices a missing one only when it reads that page.
    /// Source: sqlite.org/fileformat2.html, section 1.3: the count is valid where the two change counters are equal.
    private static func isWhole(_ file: UnsafeRawBufferPointer) -> Bool {
        func number(at offset: Int) -> Int {
            Int(file.loadUnaligned(fromByteOffset: offset, as: UInt32.self).bigEndian)
        }
        guard file.count >= 100 else { return false }
        let pageBytes = Int(file.loadUnaligned(fromByteOffset: 16, as: UInt16.self).bigEndian)
        return number(at: 24) != number(at: 92) || number(at: 28) * (pageBytes == 1 ? 65_536 : pageBytes) <= file.count
    }

    /// The columns of an ordinary table; none where there is no such table.
    func columns(of table: String) throws(ConversionError) -> Set<String> {
        var isTable = false
        try each("SELECT sql FROM sqlite_schema WHERE type = 'table' AND name = '\(table)'") { row in
            isTable = row.text(0).uppercased().hasPrefix("CREATE TABLE")
        }
        guard isTable else { return [] }
        var names: Set<String> = []
        try each("SELECT name FROM pragma_table_info('\(table)')") { row in names.insert(row.text(0)) }
        return names
    }

    /// Calls `body` for each row of a table with these columns; one that the table does not have is null.
    func rows(
        of table: String, _ wanted: [String], _ body: (Row) throws(ConversionError) -> Void
    ) throws(ConversionError) {
        let columns = try columns(of: table)
        guard !columns.isEmpty else { return }
        let list = wanted.map { columns.contains($0) ? "\"\($0)\"" : "NULL" }.joined(separator: ", ")
        try each("SELECT \(list) FROM main.\"\(table)\"", body)
    }

    private func each(_ sql: String, _ body: (Row) throws(ConversionError) -> Void) throws(ConversionError) {
        var statement: OpaquePointer?
        guard sqlite3_prepare_v2(connection, sql, -1, &statement, nil) == SQLITE_OK, let statement else {
            throw ConversionError(.damaged)
        }
        defer { sqlite3_finalize(statement) }
        while true {
            switch sqlite3_step(statement) {
            case SQLITE_ROW: try body(Row(statement: statement))
            case SQLITE_DONE: return
            default: throw ConversionError(.damaged)
            }
        }
    }

    /// Valid until the next row.
    struct Row {
        fileprivate let statement: OpaquePointer

        func bytes(_ column: Int32) -> SecretBytes {
            let start = sqlite3_column_blob(statement, column)
            let count = Int(sqlite3_column_bytes(statement, column))
            return SecretBytes(copying: UnsafeRawBufferPointer(start: start, count: start == nil ? 0 : count))
        }

        /// Of what is no secret.
        func text(_ column: Int32) -> String {
            bytes(column).withUnsafeBytes { String(decoding: $0, as: UTF8.self) }
        }

        func integer(_ column: Int32) -> Int64 { sqlite3_column_int64(statement, column) }
    }
}
