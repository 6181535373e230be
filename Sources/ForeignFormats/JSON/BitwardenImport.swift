// SPDX-License-Identifier: Apache-2.0
internal import AutofillProtocol
internal import SecretMemory

/// Reads Bitwarden's JSON export of a user or an organisation, in plain or protected by a password.
enum BitwardenImport {
    static let name = "bitwarden-json"
    static let protectedName = "bitwarden-json-protected"

    static func read(
        _ file: UnsafeRawBufferPointer, password: SecretBytes?,
        _ begin: (String) throws(ConversionError) -> RecordCollector
    ) throws(ConversionError) {
        let envelope = try JSONFile.read(file) { value, _ throws(JSONError) in
            try value.optional("encrypted")?.bool() == true ? try BitwardenEnvelope(value) : nil
        }
        guard let envelope else { return try readItems(file, to: try begin(name)) }
        let plain = try envelope.open(with: password)
        try plain.withUnsafeBytes { text throws(ConversionError) in
            try readItems(text, to: try begin(protectedName))
        }
    }

    static func readItems(_ file: UnsafeRawBufferPointer, to collector: RecordCollector) throws(ConversionError) {
        try JSONFile.read(file) { value, lines throws(JSONError) in
            var folders: [String: String] = [:]
            for folder in try value.list("folders") + value.list("collections") {
                folders[try folder.required("id").string()] = try folder.text("name")
            }
            for item in try value.required("items").elements() {
                try BitwardenItem(item, folders, line: lines.line(of: item)).pass(to: collector)
            }
        }
        try collector.check()
    }
}

/// One item of the export.
private struct BitwardenItem {
    let item: JSONValue
    let folders: [String: String]
    let line: Int

    init(_ item: JSONValue, _ folders: [String: String], line: Int) {
        self.item = item
        self.folders = folders
        self.line = line
    }

    func pass(to collector: RecordCollector) throws(JSONError) {
        let title = try item.text("name")
        func report(_ reason: NotConverted.Reason, _ what: NotConverted.What = .entry) {
            collector.report(NotConverted(title: title, what: what, reason: reason, line: line))
        }
        if try item.optional("deletedDate") != nil { return report(.deleted) }
        switch try item.required("type").integer() {
        case 1: collector.add(try entry(.login, collector))
        case 2: collector.add(try entry(.note, collector))
        case 3: return report(.card)
        case 4: return report(.identity)
        case 5: return report(.sshKey)
        default: return report(.unsupportedKind)
        }
        if try !item.list("attachments").isEmpty { report(.attachment, .attachment) }
    }

    private func entry(_ kind: ForeignEntry.Kind, _ collector: RecordCollector) throws(JSONError) -> ForeignEntry {
        var entry = ForeignEntry(kind, line: line)
        entry.title = try item.text("name")
        entry.notes = try item.secret("notes")
        entry.isFavourite = try item.optional("favorite")?.bool() ?? false
        entry.created = try item.instant("creationDate")
        entry.changed = try item.instant("revisionDate")
        var folder = try item.text("folderId")
        if folder.isEmpty { folder = try item.list("collectionIds").first?.string() ?? "" }
        entry.folder = folders[folder] ?? ""
        for field in try item.list("fields") {
            // Type 3 refers to another field, and has no value.
            guard let value = try field.optional("value") else { continue }
            let isSecret = try field.optional("type")?.integer() == 1
            entry.keep(try field.text("name"), try value.secret(), isSecret: isSecret)
        }
        for old in try item.list("passwordHistory") {
            guard let password = try old.secret("password") else { continue }
            entry.history.append(.init(password: password, replaced: try old.instant("lastUsedDate")))
        }
        guard let login = try item.optional("login") else { return entry }
        entry.user = try login.text("username")
        entry.password = try login.secret("password")
        for site in try login.list("uris") { try add(site, to: &entry, collector) }
        if let code = try login.secret("totp") { entry.setCode(code, reporting: collector) }
        for passkey in try login.list("fido2Credentials") { entry.passkeys.append(try Self.passkey(passkey)) }
        return entry
    }

    private func add(
        _ site: JSONValue, to entry: inout ForeignEntry, _ collector: RecordCollector
    ) throws(JSONError) {
        let text = try site.text("uri")
        guard !text.isEmpty else { return }
        switch try site.optional("match")?.integer() {
        // The host, what the URL begins with, the URL itself.
        case 1, 2, 3:
            entry.sites.append(text)
            entry.exactSites.append(text)
        // A regular expression, and what is never filled.
        case 4, 5:
            entry.keep("site", SecretBytes(utf8: text))
            collector.report(NotConverted(title: entry.title, what: .site, reason: .unsupportedKind, line: line))
        default: entry.sites.append(text)
        }
    }

    private static func passkey(_ value: JSONValue) throws(JSONError) -> ForeignPasskey {
        // A UUID stands for its 16 bytes; other bytes have a prefix.
        let id = try value.text("credentialId")
        let encoded =
            BinaryText.bytes(uuid: id).map { BinaryText.base64URL($0) }
            ?? (id.hasPrefix("b64.") ? String(id.dropFirst(4)) : id)
        return ForeignPasskey(
            credentialID: encoded, relyingParty: try value.text("rpId"), user: try value.text("userName"),
            displayName: try value.text("userDisplayName"), userHandle: try value.text("userHandle"),
            key: try value.required("keyValue").secret())
    }
}
