// SPDX-License-Identifier: Apache-2.0
internal import AutofillProtocol

/// Reads records, strictly: an unknown member is refused, since an export must not lose it.
package enum RecordReader {
    /// Passes each entry of the lines to `body`. What was not converted before is not in the vault, and not exported.
    package static func read(
        _ file: UnsafeRawBufferPointer, _ body: (ForeignEntry) throws(ConversionError) -> Void
    ) throws(ConversionError) {
        try readLines(file) { entry, _ throws(ConversionError) in try body(entry) }
    }

    /// The entry of a line that was read before.
    static func entry(of line: UnsafeRawBufferPointer) throws(ConversionError) -> ForeignEntry {
        var scanner = JSONScanner(maximumDepth: 8)
        let read: Line
        do throws(JSONError) {
            read = try scanner.scan(line) { value throws(JSONError) in try Line(value) }
        } catch {
            throw ConversionError(error, in: line)
        }
        guard case .entry(let entry) = read else { throw ConversionError(.notRecords) }
        return entry
    }

    /// The same with the line of each entry, which is valid as long as the file is.
    static func readLines(
        _ file: UnsafeRawBufferPointer,
        _ body: (ForeignEntry, UnsafeRawBufferPointer) throws(ConversionError) -> Void
    ) throws(ConversionError) {
        var (entries, notConverted, isEnded) = (0, 0, false)
        try JSONLines.read(file, maximumDepth: 8, as: { value throws(JSONError) in try Line(value) }) {
            read, line, position throws(ConversionError) in
            if isEnded || (position.line == 1) != read.isHeader { throw ConversionError(.notRecords, at: position) }
            switch read {
            case .header(let version):
                if version != RecordWriter.version { throw ConversionError(.unsupportedVersion, at: position) }
            case .entry(let entry):
                entries += 1
                try body(entry, line)
            case .notConverted: notConverted += 1
            case .end(let stated, let statedNot):
                isEnded = true
                guard stated == entries, statedNot == notConverted else {
                    throw ConversionError(.incompleteRecords, at: position)
                }
            }
        }
        guard isEnded else { throw ConversionError(.incompleteRecords) }
    }

    private enum Line {
        case header(version: Int64)
        case entry(ForeignEntry)
        case notConverted
        case end(entries: Int64, notConverted: Int64)

        var isHeader: Bool { if case .header = self { true } else { false } }

        init(_ value: JSONValue) throws(JSONError) {
            guard let kind = try value.member("record") else { throw JSONError(.expectedName, at: value.offset) }
            switch try kind.string(maximumBytes: 32) {
            case RecordWriter.name: self = .header(version: try value.member("version")?.integer() ?? 0)
            case "login": self = .entry(try ForeignEntry(record: value, .login))
            case "note": self = .entry(try ForeignEntry(record: value, .note))
            case "not-converted": self = .notConverted
            case "end":
                self = .end(
                    entries: try value.member("entries")?.integer() ?? -1,
                    notConverted: try value.member("notConverted")?.integer() ?? -1)
            default: throw JSONError(.notAllowed, at: kind.offset)
            }
        }
    }
}

extension ForeignEntry {
    fileprivate init(record: JSONValue, _ kind: Kind) throws(JSONError) {
        self.init(kind)
        for (name, value) in try record.members() {
            switch try name.string(maximumBytes: 32) {
            case "record": break
            case "line": line = Int(try value.integer())
            case "title": title = try value.string()
            case "user": user = try value.string()
            case "password": password = try value.secret(allowingNUL: true)
            case "sites": sites = try value.elements { site throws(JSONError) in try site.string() }
            case "exactSites": exactSites = try value.elements { site throws(JSONError) in try site.string() }
            case "urls": urls = try value.elements { site throws(JSONError) in try site.string() }
            case "code": code = try value.secret()
            case "notes": notes = try value.secret(allowingNUL: true)
            case "folder": folder = try value.string()
            case "tags": tags = try value.elements { tag throws(JSONError) in try tag.string() }
            case "favourite": isFavourite = try value.bool()
            case "fields": fields = try value.elements { field throws(JSONError) in try Field(record: field) }
            case "history": history = try value.elements { old throws(JSONError) in try Former(record: old) }
            case "passkeys":
                passkeys = try value.elements { passkey throws(JSONError) in try ForeignPasskey(record: passkey) }
            case "created": created = try value.integer()
            case "changed": changed = try value.integer()
            case "used": used = try value.integer()
            default: throw JSONError(.notAllowed, at: name.offset)
            }
        }
    }
}

extension ForeignEntry.Field {
    fileprivate init(record: JSONValue) throws(JSONError) {
        self.init(
            name: try record.required("name").string(), value: try record.required("value").secret(allowingNUL: true),
            isSecret: try record.member("secret")?.bool() ?? false)
    }
}

extension ForeignEntry.Former {
    fileprivate init(record: JSONValue) throws(JSONError) {
        self.init(
            password: try record.required("password").secret(allowingNUL: true),
            replaced: try record.member("replaced")?.integer())
    }
}

extension ForeignPasskey {
    fileprivate init(record: JSONValue) throws(JSONError) {
        self.init(
            credentialID: try record.required("credentialID").string(),
            relyingParty: try record.required("relyingParty").string(),
            user: try record.member("user")?.string() ?? "",
            displayName: try record.member("displayName")?.string() ?? "",
            userHandle: try record.member("userHandle")?.string() ?? "", key: try record.required("key").secret())
    }
}

extension JSONValue {
    /// A member that must be there.
    func required(_ name: StaticString) throws(JSONError) -> JSONValue {
        guard let value = try member(name) else { throw JSONError(.expectedName, at: offset) }
        return value
    }
}
