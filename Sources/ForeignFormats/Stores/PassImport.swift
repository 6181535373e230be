// SPDX-License-Identifier: Apache-2.0
internal import AutofillProtocol
internal import SecretMemory

/// Reads the entries of a store of `pass` or gopass, which the command has decrypted with gpg: JSON Lines, as Records.md
/// defines them.
enum PassImport {
    static let name = "pass-store"

    /// Whether a text is such lines.
    static func recognises(_ text: UnsafeRawBufferPointer) -> Bool {
        let line = UnsafeRawBufferPointer(rebasing: text.prefix { $0 != 0x0A })
        var scanner = JSONScanner(maximumDepth: 2)
        return
            (try? scanner.scan(line) { value throws(JSONError) in
                try value.member("record")?.string(maximumBytes: 64) == name
            }) ?? false
    }

    static func read(
        _ text: UnsafeRawBufferPointer, _ begin: (String) throws(ConversionError) -> RecordCollector
    ) throws(ConversionError) {
        let collector = try begin(name)
        var scanner = JSONScanner(maximumDepth: 4)
        var (number, entries, isEnded) = (0, 0, false)
        var rest = text[...]
        while !rest.isEmpty {
            number += 1
            let end = rest.firstIndex(of: 0x0A) ?? rest.endIndex
            let line = UnsafeRawBufferPointer(rebasing: rest[..<end])
            rest = rest[min(end + 1, rest.endIndex)...]
            let read: Line
            do throws(JSONError) {
                read = try scanner.scan(line) { value throws(JSONError) in try Line(value) }
            } catch {
                let position = TextPosition(of: error.offset, in: line)
                throw ConversionError(.json(error.problem), at: TextPosition(line: number, column: position.column))
            }
            let position = TextPosition(line: number, column: 1)
            switch read {
            case .header(let version):
                guard number == 1 else { throw ConversionError(.notRecords, at: position) }
                guard version == 1 else { throw ConversionError(.unsupportedVersion, at: position) }
                continue
            case .end(let stated):
                guard stated == entries else { throw ConversionError(.incompleteRecords, at: position) }
            case .entry(let path, let text): collector.add(PassEntry.entry(path, text, reporting: collector))
            case .binary(let path): collector.report(NotConverted(title: path, reason: .notText))
            case .unreadable(let path): collector.report(NotConverted(title: path, reason: .unreadable))
            }
            guard number > 1, !isEnded else { throw ConversionError(.notRecords, at: position) }
            if case .end = read { isEnded = true } else { entries += 1 }
        }
        guard isEnded else { throw ConversionError(.incompleteRecords) }
        try collector.check()
    }

    private enum Line {
        case header(version: Int64), end(entries: Int64)
        case entry(path: String, SecretBytes), binary(path: String), unreadable(path: String)

        init(_ value: JSONValue) throws(JSONError) {
            let kind = try value.required("record")
            switch try kind.string(maximumBytes: 64) {
            case PassImport.name: self = .header(version: try value.required("version").integer())
            case "end": self = .end(entries: try value.required("entries").integer())
            case "unreadable": self = .unreadable(path: try value.required("path").string())
            case "entry":
                let path = try value.required("path").string()
                if try value.optional("binary")?.bool() == true {
                    self = .binary(path: path)
                } else {
                    self = .entry(path: path, try value.required("text").secret())
                }
            default: throw JSONError(.notAllowed, at: kind.offset)
            }
        }
    }
}
