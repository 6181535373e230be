// SPDX-License-Identifier: Apache-2.0
internal import AutofillProtocol
internal import SecretMemory

/// Writes Bitwarden's JSON, in plain.
final class BitwardenWriter: ForeignWriter {
    private let output: ConversionOutput
    private var folders: [String] = []
    private var numbers: [String: Int] = [:]
    private var isFirst = true

    init(_ output: ConversionOutput) { self.output = output }

    func begin() throws(ConversionError) { try output.append(#"{"encrypted":false,"items":["#) }

    func add(
        _ entry: ForeignEntry, _ record: UnsafeRawBufferPointer, _ missing: (NotConverted.What) -> Void
    ) throws(ConversionError) {
        if !entry.tags.isEmpty { missing(.tag) }
        let folder = entry.folder.isEmpty ? nil : Self.folderID(number(of: entry.folder))
        if !isFirst { try output.append(",") }
        isFirst = false
        try output.append { writer in Self.write(entry, folder, to: &writer) }
    }

    func end() throws(ConversionError) {
        try output.append(#"],"folders":["#)
        for (index, folder) in folders.enumerated() {
            if index > 0 { try output.append(",") }
            try output.append { writer in
                writer.object { writer in
                    writer.member("id", Self.folderID(index))
                    writer.member("name", folder)
                }
            }
        }
        try output.append("]}\n")
        try output.flush()
    }

    private func number(of folder: String) -> Int {
        if let number = numbers[folder] { return number }
        folders.append(folder)
        numbers[folder] = folders.count - 1
        return folders.count - 1
    }

    /// A UUID of version 8: it only has to differ from the others of the file.
    private static func folderID(_ number: Int) -> String {
        let digits = String(number + 1, radix: 16)
        return "00000000-0000-8000-8000-" + String(repeating: "0", count: 12 - digits.utf8.count) + digits
    }

    private static func write(_ entry: ForeignEntry, _ folder: String?, to writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("type", entry.kind == .login ? 1 : 2)
            writer.member("name", entry.title)
            OptionalMembers.secret("notes", entry.notes, to: &writer)
            writer.key("folderId")
            if let folder { writer.string(folder) } else { writer.null() }
            writer.member("favorite", entry.isFavourite)
            writer.member("reprompt", 0)
            OptionalMembers.list("fields", entry.fields, to: &writer) { writer, field in
                writer.object { writer in
                    writer.member("name", field.name)
                    writer.member("value", field.value)
                    writer.member("type", field.isSecret ? 1 : 0)
                }
            }
            OptionalMembers.list("passwordHistory", entry.history, to: &writer) { writer, former in
                writer.object { writer in
                    writer.key("lastUsedDate")
                    if let replaced = former.replaced {
                        writer.string(InstantText.text(replaced))
                    } else {
                        writer.null()
                    }
                    writer.member("password", former.password)
                }
            }
            if let created = entry.created { writer.member("creationDate", InstantText.text(created)) }
            if let changed = entry.changed { writer.member("revisionDate", InstantText.text(changed)) }
            if entry.kind == .login {
                writer.key("login")
                login(entry, to: &writer)
            } else {
                writer.member("secureNote", object: { $0.member("type", 0) })
                if entry.hasLogin {
                    writer.key("login")
                    login(entry, to: &writer)
                }
            }
        }
    }

    private static func login(_ entry: ForeignEntry, to writer: inout JSONWriter) {
        writer.object { writer in
            writer.key("uris")
            writer.array { writer in
                for site in entry.sites {
                    writer.object { writer in
                        writer.key("match")
                        // The host, or the user's setting.
                        if entry.exactSites.contains(site) { writer.integer(1) } else { writer.null() }
                        writer.member("uri", site)
                    }
                }
            }
            writer.member("username", entry.user)
            OptionalMembers.secret("password", entry.password, to: &writer)
            OptionalMembers.secret("totp", entry.code, to: &writer)
            OptionalMembers.list("fido2Credentials", entry.passkeys, to: &writer) { writer, passkey in
                Self.passkey(passkey, entry.created ?? 0, to: &writer)
            }
        }
    }

    private static func passkey(_ passkey: ForeignPasskey, _ created: Int64, to writer: inout JSONWriter) {
        let bytes = BinaryText.bytes(passkey.credentialID)
        writer.object { writer in
            let isUUID = bytes?.count == 16
            writer.member("credentialId", isUUID ? BinaryText.uuid(bytes ?? []) : "b64." + passkey.credentialID)
            writer.member("keyType", "public-key")
            writer.member("keyAlgorithm", "ECDSA")
            writer.member("keyCurve", "P-256")
            writer.member("keyValue", passkey.key)
            writer.member("rpId", passkey.relyingParty)
            writer.member("rpName", passkey.relyingParty)
            writer.member("userHandle", passkey.userHandle)
            writer.member("userName", passkey.user)
            writer.member("userDisplayName", passkey.displayName)
            writer.member("counter", "0")
            writer.member("discoverable", "true")
            writer.member("creationDate", InstantText.text(created))
        }
    }
}

extension ForeignEntry {
    /// Whether it has what only a login has.
    var hasLogin: Bool { !user.isEmpty || password != nil || code != nil || !sites.isEmpty || !passkeys.isEmpty }
}
