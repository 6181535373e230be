// SPDX-License-Identifier: Apache-2.0

/// A TOML text (toml.io, v1.0.0), parsed as far as needed to find the value of one key: tables, keys and arrays of
/// strings.
struct TOMLText {
    /// A key with its table's name, `registry.global-credential-providers`, and the range of its value.
    struct Entry: Hashable {
        let key: String
        let value: Range<Int>
    }

    let bytes: [UInt8]
    private(set) var entries: [Entry] = []
    /// The names of the tables, and the end of each one's line.
    private(set) var tables: [(name: String, end: Int)] = []

    init(_ text: String) {
        bytes = Array(text.utf8)
        var (index, table) = (0, "")
        while index < bytes.count {
            skipBlank(&index)
            guard index < bytes.count else { break }
            if bytes[index] == UInt8(ascii: "[") {
                let start = index
                skipLine(&index)
                let name = Self.name(bytes[start..<index])
                // A key in an array of tables is a different key.
                table = name.isArray ? "\u{0}" : name.text
                if !name.isArray { tables.append((name.text, index)) }
                continue
            }
            guard let equals = find(UInt8(ascii: "="), from: index) else {
                skipLine(&index)
                continue
            }
            let key = Self.key(bytes[index..<equals])
            index = equals + 1
            while index < bytes.count, bytes[index] == 0x20 || bytes[index] == 0x09 { index += 1 }
            let start = index
            skipValue(&index)
            entries.append(Entry(key: table.isEmpty ? key : "\(table).\(key)", value: start..<index))
            skipLine(&index)
        }
    }

    /// The strings of an array, without escapes, with the range of each; nil if the value is no array.
    func strings(of entry: Entry) -> [(text: String, range: Range<Int>)]? {
        guard bytes[entry.value].first == UInt8(ascii: "["), bytes[entry.value].last == UInt8(ascii: "]") else {
            return nil
        }
        var (found, index): ([(String, Range<Int>)], Int) = ([], entry.value.lowerBound + 1)
        while index < entry.value.upperBound - 1 {
            skipBlank(&index, andCommas: true)
            guard index < entry.value.upperBound - 1 else { break }
            let start = index
            guard bytes[start] == UInt8(ascii: "\"") || bytes[start] == UInt8(ascii: "'") else { return nil }
            skipString(&index)
            guard index - start >= 2 else { return nil }
            found.append((String(decoding: bytes[start + 1..<index - 1], as: UTF8.self), start..<index))
        }
        return found
    }

    // MARK: - Reading

    private func skipBlank(_ index: inout Int, andCommas: Bool = false) {
        while index < bytes.count {
            switch bytes[index] {
            case 0x20, 0x09, 0x0A, 0x0D: index += 1
            case UInt8(ascii: ",") where andCommas: index += 1
            case UInt8(ascii: "#"): skipLine(&index)
            default: return
            }
        }
    }

    /// To the end of the line.
    private func skipLine(_ index: inout Int) {
        index = (bytes[index...].firstIndex(of: 0x0A) ?? bytes.count - 1) + 1
    }

    private func find(_ byte: UInt8, from index: Int) -> Int? {
        var position = index
        while position < bytes.count, bytes[position] != 0x0A {
            if bytes[position] == byte { return position }
            if bytes[position] == UInt8(ascii: "\"") || bytes[position] == UInt8(ascii: "'") {
                skipString(&position)
            } else {
                position += 1
            }
        }
        return nil
    }

    private func skipString(_ index: inout Int) {
        let quote = bytes[index]
        let isLong = bytes[index...].prefix(3).elementsEqual([quote, quote, quote])
        index += isLong ? 3 : 1
        while index < bytes.count {
            if bytes[index] == UInt8(ascii: "\\"), quote == UInt8(ascii: "\"") {
                index += 2
            } else if isLong {
                if bytes[index...].prefix(3).elementsEqual([quote, quote, quote]) {
                    index += 3
                    while index < bytes.count, bytes[index] == quote { index += 1 }
                    return
                }
                index += 1
            } else {
                index += 1
                if bytes[index - 1] == quote || bytes[index - 1] == 0x0A { return }
            }
        }
        index = min(index, bytes.count)
    }

    /// To the end of a value: an array or an inline table with its contents, a string, or a bare value.
    private func skipValue(_ index: inout Int) {
        var depth = 0
        while index < bytes.count {
            switch bytes[index] {
            case UInt8(ascii: "\""), UInt8(ascii: "'"):
                skipString(&index)
                if depth == 0 { return }
                continue
            case UInt8(ascii: "["), UInt8(ascii: "{"): depth += 1
            case UInt8(ascii: "]"), UInt8(ascii: "}"):
                depth -= 1
                if depth <= 0 {
                    index += 1
                    return
                }
            case UInt8(ascii: "#"):
                if depth == 0 { return }
                skipLine(&index)
                continue
            case 0x0A where depth == 0, 0x20 where depth == 0, 0x0D where depth == 0: return
            default: break
            }
            index += 1
        }
    }

    private static func name(_ line: ArraySlice<UInt8>) -> (text: String, isArray: Bool) {
        let isArray = line.prefix(2).elementsEqual("[[".utf8)
        let end = line.firstIndex(of: UInt8(ascii: "]")) ?? line.endIndex
        return (
            key(line[(line.startIndex + (isArray ? 2 : 1))..<max(end, line.startIndex + (isArray ? 2 : 1))]), isArray
        )
    }

    /// A dotted key without blanks and quotes.
    private static func key(_ bytes: ArraySlice<UInt8>) -> String {
        String(decoding: bytes.filter { ![0x20, 0x09, 0x22, 0x27].contains($0) }, as: UTF8.self)
    }
}
