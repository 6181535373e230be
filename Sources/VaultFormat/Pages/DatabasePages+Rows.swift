// SPDX-License-Identifier: Apache-2.0
package import Credentials

/// A row as it lies on a page.
package struct PageRow {
    /// Its integer key.
    package let key: Int64
    package let values: [SQLStatement.Value]
}

extension DatabasePages {
    /// The longest row of a vault: what sync stores of a file, or the same in quarantine, with its other columns.
    static let longestRow = StoredSyncEntry.mostBytes + 64 << 10
    /// More columns than any table of a vault has. Those without data take a byte of a row, and much more memory.
    private static let mostColumns = 16

    /// Calls `body` for each row of each table, in the order of the pages. What does not read as a row is passed over.
    package func eachRow(
        _ progress: VaultProgress = VaultProgress(), _ body: (PageRow) throws(VaultError) -> Void
    ) throws(VaultError) {
        let beyond = beyondFile
        let pages = inFile + beyond.count
        // Rows that share pages, as only somebody writes them, are not read without end.
        var left = 4 * pages * Self.size
        let longest = min(pages * Self.size, Self.longestRow)
        for index in 0..<pages {
            try progress.checkStop()
            let number = index < inFile ? index + 1 : beyond[index - inFile]
            let page = page(number)
            // Before the first page's tree is the file's header.
            let start = number == 1 ? 100 : 0
            guard page[start] == Self.tableLeaf else { continue }
            let most = (Self.size - start - Self.leafHeader) / 2
            for cell in 0..<min(page.half(start + 3), most) {
                let offset = page.half(start + Self.leafHeader + 2 * cell)
                try progress.checkStop()
                guard offset < Self.size, let row = row(page, at: offset, upTo: longest, within: &left) else {
                    continue
                }
                try body(row)
            }
        }
    }

    private static let tableLeaf: UInt8 = 13
    private static let leafHeader = 8

    /// A cell: the length of the row, its key, the row, and where it is too long for the page the page that continues it.
    ///
    /// - Parameters:
    ///   - longest: how long it may be.
    ///   - left: bytes that may still be read; what is read is subtracted, also of what proves to be no row.
    private func row(_ page: [UInt8], at offset: Int, upTo longest: Int, within left: inout Int) -> PageRow? {
        var reader = VariableReader(page, at: offset)
        guard let length = reader.integer().flatMap({ Int(exactly: $0) }), let key = reader.integer(),
            (1...longest).contains(length), length <= left
        else { return nil }
        let local = Self.localLength(of: length)
        guard reader.offset + local <= Self.size else { return nil }
        var bytes = Array(page[reader.offset..<reader.offset + local])
        left -= local
        if local < length {
            guard reader.offset + local + 4 <= Self.size else { return nil }
            var next = Int(page.word(reader.offset + local))
            while bytes.count < length {
                guard (1...count).contains(next) else { return nil }
                let more = self.page(next), taken = more[4...].prefix(length - bytes.count)
                bytes += taken
                left -= taken.count
                next = Int(more.word(0))
            }
        }
        return Self.values(of: bytes).map { PageRow(key: key, values: $0) }
    }

    /// How much of a row is on its own page.
    private static func localLength(of length: Int) -> Int {
        guard length > size - 35 else { return length }
        let least = (size - 12) * 32 / 255 - 23
        let fitting = least + (length - least) % (size - 4)
        return fitting <= size - 35 ? fitting : least
    }

    /// The columns: the length of the header, a type for each, then the values.
    private static func values(of bytes: [UInt8]) -> [SQLStatement.Value]? {
        var header = VariableReader(bytes, at: 0)
        guard let end = header.integer().flatMap({ Int(exactly: $0) }), (1...bytes.count).contains(end) else {
            return nil
        }
        var offset = end
        var values: [SQLStatement.Value] = []
        func take(_ count: Int) -> ArraySlice<UInt8>? {
            guard count >= 0, count <= bytes.count - offset else { return nil }
            defer { offset += count }
            return bytes[offset..<offset + count]
        }
        while header.offset < end {
            guard values.count < mostColumns, let type = header.integer(), type >= 0 else { return nil }
            switch type {
            case 0: values.append(.null)
            case 1...6:
                guard let taken = take([1, 2, 3, 4, 6, 8][Int(type) - 1]), let first = taken.first else { return nil }
                let sign = Int64(Int8(bitPattern: first)) >> 7
                values.append(.integer(taken.reduce(sign) { $0 << 8 | Int64($1) }))
            case 8, 9: values.append(.integer(type - 8))
            case 12...:
                guard let taken = take(Int(type - 12) / 2) else { return nil }
                values.append(type % 2 == 0 ? .bytes(Array(taken)) : .text(String(decoding: taken, as: UTF8.self)))
            default: return nil
            }
        }
        return values
    }
}

/// Reads SQLite's numbers of one to nine bytes.
private struct VariableReader {
    private let bytes: [UInt8]
    private(set) var offset: Int

    init(_ bytes: [UInt8], at offset: Int) { (self.bytes, self.offset) = (bytes, offset) }

    /// nil at the end.
    mutating func integer() -> Int64? {
        var value: UInt64 = 0
        for index in 0..<9 {
            guard offset < bytes.count else { return nil }
            let byte = bytes[offset]
            offset += 1
            if index == 8 { return Int64(bitPattern: value << 8 | UInt64(byte)) }
            value = value << 7 | UInt64(byte & 0x7F)
            if byte < 0x80 { return Int64(bitPattern: value) }
        }
        return nil
    }
}
