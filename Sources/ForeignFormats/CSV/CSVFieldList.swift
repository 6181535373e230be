// SPDX-License-Identifier: Apache-2.0
internal import AutofillProtocol
internal import SecretMemory

/// Several fields of an entry in one field of a CSV file.
enum CSVFieldList {
    /// `name: value` on each line, as Bitwarden writes them. A line without a name continues the value before it.
    static func lines(_ list: SecretBytes, _ entry: inout ForeignEntry) {
        list.withUnsafeBytes { bytes in
            var name: String?
            var value = SecretBuffer(capacity: 64)
            var parsed: [ForeignEntry.Field] = []
            func finish() {
                if let name { parsed.append(.init(name: name, value: value.secret, isSecret: false)) }
            }
            for line in bytes.split(separator: 0x0A, omittingEmptySubsequences: false) {
                let colon = line.indices.first { index in
                    line[index] == UInt8(ascii: ":") && index + 1 < line.endIndex && line[index + 1] == 0x20
                }
                if let colon {
                    finish()
                    name = String(decoding: line[..<colon], as: UTF8.self)
                    value = SecretBuffer(capacity: 64)
                    value.append(UnsafeRawBufferPointer(rebasing: line[(colon + 2)...]))
                } else if name != nil {
                    value.append("\n")
                    value.append(UnsafeRawBufferPointer(rebasing: line))
                } else if !line.isEmpty {
                    name = "fields"
                    value.append(UnsafeRawBufferPointer(rebasing: line))
                }
            }
            finish()
            entry.fields += parsed
        }
    }

    /// `[{"label": …, "type": …, "value": …}, …]`, as NordPass writes them; anything else is one field.
    static func objects(_ list: SecretBytes, _ name: String, _ entry: inout ForeignEntry) {
        var scanner = JSONScanner(maximumDepth: 4)
        let fields: [ForeignEntry.Field]? = list.withUnsafeBytes { text in
            try? scanner.scan(text) { value throws(JSONError) in
                try value.elements { field throws(JSONError) in
                    ForeignEntry.Field(
                        name: try field.required("label").string(), value: try field.required("value").secret(),
                        isSecret: try field.member("type")?.matches("hidden") ?? false)
                }
            }
        }
        if let fields { entry.fields += fields } else { entry.keep(name, list) }
    }
}
