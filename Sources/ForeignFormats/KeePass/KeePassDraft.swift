// SPDX-License-Identifier: Apache-2.0
internal import SecretMemory

/// An entry of a KDBX file while it is read.
struct KeePassDraft {
    var entry = ForeignEntry()
    var key = ""
    var attachments = 0
    var history: [KeePassDraft] = []
    private var strings: [(name: String, value: SecretBytes, isProtected: Bool)] = []

    mutating func add(_ value: SecretBytes, isProtected: Bool) {
        if value.count > 0 { strings.append((key, value, isProtected)) }
    }

    mutating func setTags(_ text: String) {
        let tags = text.split { $0 == ";" || $0 == "," }.map { String($0).trimmed }.filter { !$0.isEmpty }
        entry.isFavourite = tags.contains(KeePassWriter.favourite)
        entry.tags = tags.filter { $0 != KeePassWriter.favourite }
    }

    consuming func pass(to collector: RecordCollector, folder: String, isDeleted: Bool) {
        var reports: [(NotConverted.What, NotConverted.Reason)] = []
        var values: [String: SecretBytes] = [:]
        for (name, value, _) in strings where values[name] == nil {
            let isText = value.withUnsafeBytes { SourceText.firstInvalid($0) == nil && !$0.contains(0) }
            if isText { values[name] = value } else { reports.append((.field, .notText)) }
            if value.withUnsafeBytes({ $0.starts(with: "{REF:".utf8) }) {
                reports.append((Self.component(name), .reference))
            }
        }
        func text(_ name: String) -> String {
            values[name]?.withUnsafeBytes { String(decoding: $0, as: UTF8.self) } ?? ""
        }
        entry.title = text("Title")
        if isDeleted { return collector.report(NotConverted(title: entry.title, reason: .deleted)) }
        entry.folder = folder
        entry.user = text("UserName")
        entry.password = values["Password"]
        entry.notes = values["Notes"]
        if values["URL"] != nil { entry.sites.append(text("URL")) }
        entry.history = formerPasswords
        KeePassCode.read(values, &entry, collector)
        addPasskey(text)
        for (name, _, isProtected) in strings {
            guard let value = values[name] else { continue }
            if Self.isFurtherSite(name) {
                entry.sites.append(text(name))
            } else if !Self.isOwn(name) {
                entry.keep(name, value, isSecret: isProtected)
            }
        }
        if attachments > 0 { reports.append((.attachment, .attachment)) }
        entry.kind = entry.hasLogin ? .login : .note
        for (what, reason) in reports { collector.report(NotConverted(title: entry.title, what: what, reason: reason)) }
        collector.add(entry)
    }

    /// What a string of this name becomes.
    private static func component(_ name: String) -> NotConverted.What {
        switch name {
        case "Title": .entry
        case "UserName": .user
        case "Password": .password
        case "Notes": .notes
        default: name == "URL" || isFurtherSite(name) ? .site : KeePassCode.names.contains(name) ? .code : .field
        }
    }

    /// Whether a string of this name is not a field.
    static func isOwn(_ name: String) -> Bool {
        standard.contains(name) || KeePassCode.names.contains(name) || isFurtherSite(name)
    }

    static let furtherSitePrefix = "KP2A_URL_"

    private static func isFurtherSite(_ name: String) -> Bool {
        name == "KP2A_URL" || name.hasPrefix(furtherSitePrefix)
    }

    private static let standard: Set = [
        "Title", "UserName", "Password", "URL", "Notes", "KPEX_PASSKEY_CREDENTIAL_ID", "KPEX_PASSKEY_PRIVATE_KEY_PEM",
        "KPEX_PASSKEY_RELYING_PARTY", "KPEX_PASSKEY_USERNAME", "KPEX_PASSKEY_USER_HANDLE",
    ]

    /// The passwords of the history, the newest first, each once in a row.
    private var formerPasswords: [ForeignEntry.Former] {
        func password(_ draft: KeePassDraft) -> SecretBytes? { draft.strings.first { $0.name == "Password" }?.value }
        var newer = password(self)
        var result: [ForeignEntry.Former] = []
        for old in history.reversed() {
            guard let former = password(old) else { continue }
            if let newer, former.equals(newer) { continue }
            result.append(.init(password: former, replaced: old.entry.changed))
            newer = former
        }
        return result
    }

    private mutating func addPasskey(_ text: (String) -> String) {
        guard let key = strings.first(where: { $0.name == "KPEX_PASSKEY_PRIVATE_KEY_PEM" })?.value else { return }
        entry.passkeys.append(
            ForeignPasskey(
                credentialID: text("KPEX_PASSKEY_CREDENTIAL_ID"), relyingParty: text("KPEX_PASSKEY_RELYING_PARTY"),
                user: text("KPEX_PASSKEY_USERNAME"), displayName: "", userHandle: text("KPEX_PASSKEY_USER_HANDLE"),
                key: PEMText.content(key)))
    }
}
