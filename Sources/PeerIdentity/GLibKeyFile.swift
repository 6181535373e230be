// SPDX-License-Identifier: Apache-2.0

/// A key file as GLib writes them: `[Group]`, `key=value`, `#` comments.
///
/// A repeated group or key is refused: a reader that uses the first and one that uses the last would see two different
/// files. A value is stored as bytes until it is used.
package struct GLibKeyFile {
    package struct Malformed: Error, Hashable {
        /// The first line that could not be understood, from 1.
        package let line: Int
    }

    private var values: [String: [String: ArraySlice<UInt8>]] = [:]

    package init(parsing bytes: some Collection<UInt8>) throws(Malformed) {
        var group: String?
        var number = 0
        for rawLine in Array(bytes).split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false) {
            number += 1
            let line = Self.trimmed(rawLine)
            guard let first = line.first, first != UInt8(ascii: "#") else { continue }
            if first == UInt8(ascii: "[") {
                guard line.last == UInt8(ascii: "]"), let name = Self.text(line.dropFirst().dropLast()),
                    values[name] == nil
                else { throw Malformed(line: number) }
                group = name
                values[name] = [:]
                continue
            }
            guard let group, let equals = line.firstIndex(of: UInt8(ascii: "=")),
                let key = Self.text(Self.trimmed(line[..<equals])), values[group]?[key] == nil
            else { throw Malformed(line: number) }
            values[group]?[key] = Self.trimmed(line[(equals + 1)...])
        }
    }

    /// The names of the groups, in no order.
    package var groups: [String] { Array(values.keys) }

    /// The text of a value, its escapes undone; nil when there is none, or it is not UTF-8.
    package subscript(group: String, key: String) -> String? {
        values[group]?[key].flatMap { Self.unescaped($0) }
    }

    private static func trimmed(_ line: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        let isBlank: (UInt8) -> Bool = { $0 == 0x20 || $0 == 0x09 || $0 == 0x0D }
        var line = line.drop(while: isBlank)
        while let last = line.last, isBlank(last) { line.removeLast() }
        return line
    }

    private static func text(_ bytes: ArraySlice<UInt8>) -> String? {
        guard !bytes.isEmpty, !bytes.contains(0) else { return nil }
        return String(validating: bytes, as: UTF8.self)
    }

    private static func unescaped(_ bytes: ArraySlice<UInt8>) -> String? {
        var result: [UInt8] = []
        var rest = bytes
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "\\") else {
                result.append(byte)
                continue
            }
            switch rest.popFirst() {
            case UInt8(ascii: "s"): result.append(0x20)
            case UInt8(ascii: "n"): result.append(0x0A)
            case UInt8(ascii: "t"): result.append(0x09)
            case UInt8(ascii: "r"): result.append(0x0D)
            case UInt8(ascii: "\\"): result.append(UInt8(ascii: "\\"))
            default: return nil
            }
        }
        return result.contains(0) ? nil : String(validating: result, as: UTF8.self)
    }
}
