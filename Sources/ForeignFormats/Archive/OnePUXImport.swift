// SPDX-License-Identifier: Apache-2.0
internal import AutofillProtocol
internal import SecretMemory

/// Reads the JSON of 1Password's 1PUX. A vault is a folder.
enum OnePUXImport {
    static let name = "1pux"

    static func read(_ text: UnsafeRawBufferPointer, _ collector: RecordCollector) throws(ConversionError) {
        try JSONFile.read(text) { value, _ throws(JSONError) in
            for account in try value.required("accounts").elements() {
                for vault in try account.list("vaults") {
                    let folder = try vault.optional("attrs")?.text("name") ?? ""
                    for item in try vault.list("items") {
                        // Early versions have each item in an object.
                        try OnePUXItem(try item.optional("item") ?? item, folder, collector)?.pass(to: collector)
                    }
                }
            }
        }
        try collector.check()
    }
}

private struct OnePUXItem {
    private var entry: ForeignEntry
    private var reports: [NotConverted.What] = []

    /// nil: it has no place here, and is reported.
    init?(_ item: JSONValue, _ folder: String, _ collector: RecordCollector) throws(JSONError) {
        let overview = try item.optional("overview")
        let title = try overview?.text("title") ?? ""
        let kind: ForeignEntry.Kind
        switch try item.required("categoryUuid").string() {
        case "001", "005": kind = .login
        case "002", "101":
            collector.report(NotConverted(title: title, reason: .card))
            return nil
        case "004", "103", "104", "106", "108", "113":
            collector.report(NotConverted(title: title, reason: .identity))
            return nil
        case "006":
            collector.report(NotConverted(title: title, reason: .attachment))
            return nil
        case "109":
            collector.report(NotConverted(title: title, reason: .wifi))
            return nil
        case "114":
            collector.report(NotConverted(title: title, reason: .sshKey))
            return nil
        // A secure note, a server, a licence, …: all text in it is kept.
        default: kind = .note
        }
        entry = ForeignEntry(kind)
        entry.title = title
        entry.folder = folder
        entry.isFavourite = try item.optional("favIndex")?.integer() ?? 0 > 0
        entry.created = try item.instant("createdAt")
        entry.changed = try item.instant("updatedAt")
        if let state = try item.optional("state"), state.matches("archived") { entry.tags.append("archived") }
        if let overview {
            for tag in try overview.list("tags") { entry.tags.append(try tag.string()) }
            for site in try overview.list("urls") { add(site: try site.text("url")) }
            add(site: try overview.text("url"))
        }
        if let details = try item.optional("details") { try read(details, collector) }
    }

    consuming func pass(to collector: RecordCollector) {
        for what in reports {
            collector.report(NotConverted(title: entry.title, what: what, reason: .attachment))
        }
        collector.add(entry)
    }

    private mutating func add(site: String) {
        if !site.isEmpty, !entry.sites.contains(site) { entry.sites.append(site) }
    }

    private mutating func read(_ details: JSONValue, _ collector: RecordCollector) throws(JSONError) {
        for field in try details.list("loginFields") {
            guard let value = try field.optional("value"), value.kind == .string else { continue }
            let designation = try field.text("designation")
            if designation == "username", entry.user.isEmpty {
                entry.user = try value.string()
            } else if designation == "password", entry.password == nil {
                entry.password = try value.secret()
            } else {
                let isSecret = try field.text("fieldType") == "P"
                let name = try field.text("name")
                entry.keep(name, try value.secret(), isSecret: isSecret)
            }
        }
        if let password = try details.secret("password"), entry.password == nil { entry.password = password }
        entry.notes = try details.secret("notesPlain")
        for section in try details.list("sections") {
            for field in try section.list("fields") { try add(field, collector) }
        }
        for old in try details.list("passwordHistory") {
            guard let password = try old.secret("value") else { continue }
            entry.history.append(.init(password: password, replaced: try old.instant("time")))
        }
        if try details.optional("documentAttributes") != nil { reports.append(.attachment) }
    }

    /// A field of a section: its value is an object with one member, whose name is its type.
    private mutating func add(_ field: JSONValue, _ collector: RecordCollector) throws(JSONError) {
        guard let value = try field.optional("value"), value.kind == .object else { return }
        let title = try field.text("title")
        for (kind, content) in try value.members() where content.kind != .null {
            switch try kind.string() {
            case "totp": entry.setCode(try content.secret(), reporting: collector)
            case "file": reports.append(.attachment)
            case "sshKey": reports.append(.field)
            case let type:
                let secret: SecretBytes
                switch content.kind {
                case .string: secret = try content.secret()
                // An e-mail address, or what is kept as it is written.
                case .object where type == "email": secret = try content.secret("email_address") ?? .init(utf8: "")
                default: secret = SecretBytes(copying: content.rawSlice)
                }
                entry.keep(title.isEmpty ? type : title, secret, isSecret: type == "concealed")
            }
        }
    }
}
