// SPDX-License-Identifier: Apache-2.0
internal import AutofillProtocol
internal import SecretMemory

/// Reads the Credential Exchange Format 1.0 of the FIDO Alliance, as JSON.
enum CXFImport {
    static let name = "cxf"

    static func read(
        _ file: UnsafeRawBufferPointer, _ begin: (String) throws(ConversionError) -> RecordCollector
    ) throws(ConversionError) {
        let version = try JSONFile.read(file) { value, _ throws(JSONError) in
            try value.required("version").required("major").integer()
        }
        guard version == 1 else { throw ConversionError(.unsupportedVersion) }
        let collector = try begin(name)
        try JSONFile.read(file) { value, lines throws(JSONError) in
            for account in try value.required("accounts").elements() {
                var folders: [String: String] = [:]
                try addFolders(of: account, "collections", in: "", &folders)
                for item in try account.list("items") {
                    try CXFItem(item, folders, line: lines.line(of: item)).pass(to: collector)
                }
            }
        }
        try collector.check()
    }

    /// The folder of each item: the first collection that lists it.
    private static func addFolders(
        of parent: JSONValue, _ member: StaticString, in path: String, _ folders: inout [String: String]
    ) throws(JSONError) {
        for collection in try parent.list(member) {
            let title = try collection.text("title")
            let own = path.isEmpty ? title : path + "/" + title
            for link in try collection.list("items") {
                let item = try link.required("item").string()
                if folders[item] == nil { folders[item] = own }
            }
            try addFolders(of: collection, "subCollections", in: own, &folders)
        }
    }
}

/// One item of an account: an entry for each of its user names and passwords.
private struct CXFItem {
    private let item: JSONValue
    private let title: String
    private let line: Int
    private var entry: ForeignEntry
    private var further: [ForeignEntry] = []
    private var reports: [(NotConverted.What, NotConverted.Reason)] = []
    private var hasLogin = false
    private var isNote = false

    init(_ item: JSONValue, _ folders: [String: String], line: Int) throws(JSONError) {
        self.item = item
        self.line = line
        title = try item.text("title")
        entry = ForeignEntry(.login, line: line)
        entry.title = title
        entry.folder = try folders[item.required("id").string()] ?? ""
        entry.tags = try item.list("tags").map { tag throws(JSONError) in try tag.string() }
        entry.isFavourite = try item.optional("favorite")?.bool() ?? false
        entry.created = try item.instant("creationAt")
        entry.changed = try item.instant("modifiedAt")
        if let scope = try item.optional("scope") {
            entry.sites = try scope.list("urls").map { site throws(JSONError) in try site.string() }
            for app in try scope.list("androidApps") {
                entry.keep("androidApp", SecretBytes(utf8: try app.required("bundleId").string()))
            }
        }
        if let subtitle = try item.secret("subtitle") { entry.keep("subtitle", subtitle) }
    }

    consuming func pass(to collector: RecordCollector) throws(JSONError) {
        for credential in try item.required("credentials").elements() { try add(credential, collector) }
        for (what, reason) in reports {
            collector.report(NotConverted(title: title, what: what, reason: reason, line: line))
        }
        guard hasLogin || isNote || reports.isEmpty else { return }
        if isNote, !hasLogin { entry.kind = .note }
        collector.add(entry)
        for other in further { collector.add(other) }
    }

    private mutating func add(_ credential: JSONValue, _ collector: RecordCollector) throws(JSONError) {
        switch try credential.required("type").string() {
        case "basic-auth":
            let user = try credential.optional("username")?.text("value") ?? ""
            let password = try credential.optional("password")?.secret("value")
            if entry.user.isEmpty, entry.password == nil {
                (entry.user, entry.password) = (user, password)
            } else {
                var other = ForeignEntry(.login, line: line)
                (other.title, other.sites, other.folder) = (title, entry.sites, entry.folder)
                (other.user, other.password) = (user, password)
                further.append(other)
            }
            hasLogin = true
        case "generated-password":
            guard let password = try credential.secret("password") else { return }
            if entry.password == nil { entry.password = password } else { keep("generated password", password) }
            hasLogin = true
        case "totp": try addCode(credential, collector)
        case "passkey":
            entry.passkeys.append(
                ForeignPasskey(
                    credentialID: try credential.text("credentialId"), relyingParty: try credential.text("rpId"),
                    user: try credential.text("username"), displayName: try credential.text("userDisplayName"),
                    userHandle: try credential.text("userHandle"), key: try credential.required("key").secret()))
            hasLogin = true
        case "note":
            guard let content = try credential.required("content").secret("value") else { return }
            if entry.notes == nil { entry.notes = content } else { keep("note", content) }
            isNote = true
        case "custom-fields":
            for field in try credential.list("fields") { try keep(field, name: nil) }
            isNote = true
        case "api-key":
            for member in ["key", "username", "keyType", "url", "validFrom", "expiryDate"] as [StaticString] {
                if let field = try credential.optional(member) { try keep(field, name: "\(member)") }
            }
            isNote = true
        case "credit-card": reports.append((.entry, .card))
        case "address", "person-name", "passport", "drivers-license", "identity-document":
            reports.append((.entry, .identity))
        case "ssh-key": reports.append((.entry, .sshKey))
        case "wifi": reports.append((.entry, .wifi))
        case "file": reports.append((.attachment, .attachment))
        default: reports.append((.entry, .unsupportedKind))
        }
    }

    private mutating func keep(_ name: String, _ value: SecretBytes) { entry.keep(name, value, isSecret: true) }

    private mutating func keep(_ field: JSONValue, name: String?) throws(JSONError) {
        guard let value = try field.secret("value") else { return }
        var label = try field.text("label")
        if label.isEmpty { label = name ?? "" }
        entry.keep(label, value, isSecret: try field.optional("fieldType")?.matches("concealed-string") ?? false)
    }

    private mutating func addCode(_ code: JSONValue, _ collector: RecordCollector) throws(JSONError) {
        var parameters = CodeText.Parameters()
        parameters.algorithm = try code.text("algorithm").uppercased()
        if parameters.algorithm.isEmpty { parameters.algorithm = "SHA1" }
        parameters.digits = try code.optional("digits")?.integer() ?? 6
        parameters.period = try code.optional("period")?.integer() ?? 30
        parameters.issuer = try code.text("issuer")
        parameters.account = try code.optional("username")?.string()
        if let secret = try code.secret("secret") { entry.setCode(secret, parameters, reporting: collector) }
        hasLogin = true
    }
}
