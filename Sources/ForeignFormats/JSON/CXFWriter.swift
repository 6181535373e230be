// SPDX-License-Identifier: Apache-2.0
internal import AutofillProtocol
internal import SecretMemory

/// Writes the Credential Exchange Format 1.0.
final class CXFWriter: ForeignWriter {
    private let output: ConversionOutput
    private let now: Int64
    private var entropy = SystemEntropy()
    private var isFirst = true
    /// The items of each folder.
    private var folders: [(path: String, items: [String])] = []
    private var positions: [String: Int] = [:]

    init(_ output: ConversionOutput, now: Int64) {
        self.output = output
        self.now = now
    }

    func begin() throws(ConversionError) {
        let account = newID()
        try output.append(
            #"{"version":{"major":1,"minor":0},"exporterRpId":"autofilld.invalid","exporterDisplayName":"autofilld","#
                + #""timestamp":\#(now / 1000),"accounts":[{"id":"\#(account)","username":"","email":"","items":["#)
    }

    func add(
        _ entry: ForeignEntry, _ record: UnsafeRawBufferPointer, _ missing: (NotConverted.What) -> Void
    ) throws(ConversionError) {
        if !entry.history.isEmpty { missing(.history) }
        let id = newID()
        if !entry.folder.isEmpty {
            let position = positions[entry.folder] ?? folders.count
            if position == folders.count {
                positions[entry.folder] = position
                folders.append((entry.folder, []))
            }
            folders[position].items.append(id)
        }
        if !isFirst { try output.append(",") }
        isFirst = false
        let code = entry.code.flatMap(CodeText.parse)
        // A code of another kind has no place.
        if entry.code != nil, code == nil { missing(.code) }
        try output.append { writer in Self.write(entry, id, code, to: &writer) }
    }

    func end() throws(ConversionError) {
        try output.append(#"],"collections":["#)
        for (index, folder) in folders.enumerated() {
            if index > 0 { try output.append(",") }
            let id = newID()
            try output.append { writer in
                writer.object { writer in
                    writer.member("id", id)
                    writer.member("title", folder.path)
                    writer.key("items")
                    writer.array { writer in
                        for item in folder.items { writer.object { $0.member("item", item) } }
                    }
                }
            }
        }
        try output.append("]}]}\n")
        try output.flush()
    }

    private func newID() -> String {
        BinaryText.base64URL((0..<16).map { _ in UInt8.random(in: 0...255, using: &entropy) })
    }

    private static func write(
        _ entry: ForeignEntry, _ id: String, _ code: CodeText.Parsed?, to writer: inout JSONWriter
    ) {
        writer.object { writer in
            writer.member("id", id)
            if let created = entry.created { writer.member("creationAt", created / 1000) }
            if let changed = entry.changed { writer.member("modifiedAt", changed / 1000) }
            writer.member("title", entry.title)
            if entry.isFavourite { writer.member("favorite", true) }
            if !entry.sites.isEmpty {
                writer.key("scope")
                writer.object { writer in
                    OptionalMembers.list("urls", entry.sites, to: &writer) { $0.string($1) }
                    writer.key("androidApps")
                    writer.array { _ in }
                }
            }
            writer.key("credentials")
            writer.array { writer in credentials(entry, code, to: &writer) }
            OptionalMembers.list("tags", entry.tags, to: &writer) { $0.string($1) }
        }
    }

    private static func credentials(
        _ entry: ForeignEntry, _ code: CodeText.Parsed?, to writer: inout JSONWriter
    ) {
        if !entry.user.isEmpty || entry.password != nil {
            writer.object { writer in
                writer.member("type", "basic-auth")
                if !entry.user.isEmpty {
                    writer.key("username")
                    field(SecretBytes(utf8: entry.user), isSecret: false, to: &writer)
                }
                if let password = entry.password {
                    writer.key("password")
                    field(password, isSecret: true, to: &writer)
                }
            }
        }
        if let code { Self.code(code, to: &writer) }
        for passkey in entry.passkeys {
            writer.object { writer in
                writer.member("type", "passkey")
                writer.member("credentialId", passkey.credentialID)
                writer.member("rpId", passkey.relyingParty)
                writer.member("username", passkey.user)
                writer.member("userDisplayName", passkey.displayName)
                writer.member("userHandle", passkey.userHandle)
                writer.member("key", passkey.key)
            }
        }
        if let notes = entry.notes {
            writer.object { writer in
                writer.member("type", "note")
                writer.key("content")
                field(notes, isSecret: false, to: &writer)
            }
        }
        guard !entry.fields.isEmpty else { return }
        writer.object { writer in
            writer.member("type", "custom-fields")
            OptionalMembers.list("fields", entry.fields, to: &writer) { writer, custom in
                field(custom.value, isSecret: custom.isSecret, label: custom.name, to: &writer)
            }
        }
    }

    private static func code(_ code: CodeText.Parsed, to writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("type", "totp")
            writer.member("secret", code.secret)
            writer.member("period", code.parameters.period)
            writer.member("digits", code.parameters.digits)
            if let account = code.parameters.account { writer.member("username", account) }
            writer.member("algorithm", code.parameters.algorithm.lowercased())
            if let issuer = code.parameters.issuer { writer.member("issuer", issuer) }
        }
    }

    private static func field(
        _ value: SecretBytes, isSecret: Bool, label: String? = nil, to writer: inout JSONWriter
    ) {
        writer.object { writer in
            writer.member("fieldType", isSecret ? "concealed-string" : "string")
            writer.member("value", value)
            if let label { writer.member("label", label) }
        }
    }
}
