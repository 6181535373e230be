// SPDX-License-Identifier: Apache-2.0
internal import SecretMemory

/// Writes CSV as RFC 4180 has it: each field in quotation marks where it needs them, and nothing changed in it.
final class CSVWriter: ForeignWriter {
    enum Dialect { case chrome, apple }

    private let output: ConversionOutput
    private let dialect: Dialect

    init(_ dialect: Dialect, _ output: ConversionOutput) {
        self.output = output
        self.dialect = dialect
    }

    func begin() throws(ConversionError) {
        switch dialect {
        case .chrome: try output.append("name,url,username,password,note\r\n")
        case .apple: try output.append("Title,URL,Username,Password,Notes,OTPAuth\r\n")
        }
    }

    /// A line for each site: these programs have one for each entry.
    func add(
        _ entry: ForeignEntry, _ record: UnsafeRawBufferPointer, _ missing: (NotConverted.What) -> Void
    ) throws(ConversionError) {
        if entry.kind == .note, !entry.hasLogin { return missing(.entry) }
        if !entry.folder.isEmpty { missing(.folder) }
        if !entry.tags.isEmpty { missing(.tag) }
        if !entry.fields.isEmpty { missing(.field) }
        if !entry.history.isEmpty { missing(.history) }
        if !entry.passkeys.isEmpty { missing(.passkey) }
        if dialect == .chrome, entry.code != nil { missing(.code) }
        for site in entry.sites.isEmpty ? [""] : entry.sites {
            try append(entry.title, ",")
            try append(site, ",")
            try append(entry.user, ",")
            try append(entry.password, ",")
            try append(entry.notes, dialect == .chrome ? "\r\n" : ",")
            if dialect == .apple { try append(entry.code, "\r\n") }
        }
    }

    func end() throws(ConversionError) { try output.flush() }

    private func append(_ text: String, _ end: String) throws(ConversionError) {
        try append(SecretBytes(utf8: text), end)
    }

    private func append(_ value: SecretBytes?, _ end: String) throws(ConversionError) {
        if let value { try output.append(Self.quoted(value)) }
        try output.append(end)
    }

    private static func quoted(_ value: SecretBytes) -> SecretBytes {
        value.withUnsafeBytes { bytes in
            let quote = UInt8(ascii: "\"")
            // A space at either end is kept by all programs only in quotation marks.
            let needsQuotes =
                bytes.contains { [quote, UInt8(ascii: ","), 0x0A, 0x0D].contains($0) } || bytes.first == 0x20
                || bytes.last == 0x20
            guard needsQuotes else { return value }
            return SecretBytes(count: bytes.count + bytes.count { $0 == quote } + 2) { memory in
                memory[0] = quote
                var index = 1
                for byte in bytes {
                    memory[index] = byte
                    index += 1
                    guard byte == quote else { continue }
                    memory[index] = quote
                    index += 1
                }
                memory[index] = quote
            }
        }
    }
}
