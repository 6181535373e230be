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
        var (entries, isEnded) = (0, false)
        try JSONLines.read(text, maximumDepth: 4, as: { value throws(JSONError) in try Line(value) }) {
            read, _, position throws(ConversionError) in
            if isEnded || (position.line == 1) != read.isHeader { throw ConversionError(.notRecords, at: position) }
            switch read {
            case .header(let version):
                if version != 1 { throw ConversionError(.unsupportedVersion, at: position) }
                return
            case .end(let stated):
                isEnded = true
                guard stated == entries else { throw ConversionError(.incompleteRecords, at: position) }
                return
            case .entry(let path, let text): collector.add(PassEntry.entry(path, text, reporting: collector))
            case .notRead(let path, let reason): collector.report(NotConverted(title: path, reason: reason))
            }
            entries += 1
        }
        guard isEnded else { throw ConversionError(.incompleteRecords) }
        try collector.check()
    }

    private enum Line {
        case header(version: Int64), end(entries: Int64)
        case entry(path: String, SecretBytes), notRead(path: String, NotConverted.Reason)

        var isHeader: Bool { if case .header = self { true } else { false } }

        init(_ value: JSONValue) throws(JSONError) {
            let kind = try value.required("record")
            switch try kind.string(maximumBytes: 64) {
            case PassImport.name: self = .header(version: try value.required("version").integer())
            case "end": self = .end(entries: try value.required("entries").integer())
            case "unreadable": self = .notRead(path: try value.required("path").string(), .unreadable)
            case "too-long": self = .notRead(path: try value.required("path").string(), .tooLong)
            case "entry":
                let path = try value.required("path").string()
                if try value.optional("binary")?.bool() == true {
                    self = .notRead(path: path, .notText)
                } else {
                    self = .entry(path: path, try value.required("text").secret())
                }
            default: throw JSONError(.notAllowed, at: kind.offset)
            }
        }
    }
}
