// SPDX-License-Identifier: Apache-2.0
internal import AutofillProtocol
internal import SecretMemory

/// A line of a CSV file, as an entry or as what is not imported.
struct CSVRow {
    let line: Int
    let fields: [CSVField]
    let columns: CSVColumns

    func pass(to collector: RecordCollector) {
        let title = text(.title)
        switch kind {
        case .folder: return
        case .notImported(let reason):
            return collector.report(NotConverted(title: title, reason: reason, line: line))
        case .entry(let kind):
            var entry = ForeignEntry(kind, line: line)
            entry.title = title
            entry.user = text(.user)
            var code: SecretBytes?
            for (index, field) in fields.enumerated() where !field.isEmpty {
                set(columns.roles[index], field, columns.names[index], &entry)
                if columns.roles[index] == .code { code = field.secret }
            }
            // After title and user, which its URI names.
            if let code, !code.equals(Self.null) { entry.setCode(code, reporting: collector) }
            collector.add(entry)
        }
    }

    /// Dashlane's empty code.
    private static let null = SecretBytes(utf8: "null")

    private enum Kind {
        case entry(ForeignEntry.Kind)
        case notImported(NotConverted.Reason)
        /// A line that only names a folder.
        case folder
    }

    private var kind: Kind {
        if columns.format.name == "lastpass-csv" { return lastPassKind }
        switch text(.kind).lowercased().filter({ $0 != "_" && $0 != "-" && $0 != " " }) {
        case "", "login", "password": return .entry(.login)
        case "note", "securenote": return .entry(.note)
        case "folder": return .folder
        case "creditcard", "card": return .notImported(.card)
        case "identity", "personalinfo", "address", "contactinfo": return .notImported(.identity)
        case "sshkey": return .notImported(.sshKey)
        case "wifi": return .notImported(.wifi)
        case "file", "document": return .notImported(.attachment)
        default: return .notImported(.unsupportedKind)
        }
    }

    /// LastPass marks notes and folders by a URL, and cards and others by the first line of the note.
    private var lastPassKind: Kind {
        switch text(.site) {
        case "http://group": return .folder
        case "http://sn": break
        default: return .entry(.login)
        }
        let form = fields.indices.first { columns.roles[$0] == .notes }
        func begins(_ text: String) -> Bool {
            form.map { fields[$0].bytes.starts(with: "NoteType:\(text)".utf8) } ?? false
        }
        if begins("Credit Card") { return .notImported(.card) }
        if begins("Address") || begins("Driver's License") || begins("Passport") || begins("Social Security") {
            return .notImported(.identity)
        }
        if begins("SSH Key") { return .notImported(.sshKey) }
        if begins("Wi-Fi Password") { return .notImported(.wifi) }
        return .entry(.note)
    }

    private func text(_ role: CSVRole) -> String {
        fields.indices.first { columns.roles[$0] == role }.map { fields[$0].text } ?? ""
    }

    private func set(
        _ role: CSVRole, _ field: CSVField, _ name: String, _ entry: inout ForeignEntry
    ) {
        switch role {
        case .title, .user, .code, .kind, .ignored: break
        case .password: entry.password = field.secret
        case .notes: entry.notes = field.secret
        case .site:
            let isMark = columns.format.name == "lastpass-csv" && entry.kind == .note
            if !isMark { entry.sites += sites(field.text) }
        case .sites: entry.sites += Self.jsonSites(field) ?? sites(field.text)
        case .email:
            if entry.user.isEmpty { entry.user = field.text } else { entry.keep(name, field.secret) }
        case .folder:
            let text = field.text
            entry.folder = String(text.map { $0 == columns.format.folderSeparator ? "/" : $0 })
        case .tags:
            let tags = field.text.split(separator: columns.format.tagSeparator)
            entry.tags += tags.map { String($0).trimmed }.filter { !$0.isEmpty }
        case .favourite: entry.isFavourite = Self.isTrue(field)
        case .archived: if Self.isTrue(field) { entry.tags.append("archived") }
        case .created: entry.created = InstantText.milliseconds(field.text)
        case .changed: entry.changed = InstantText.milliseconds(field.text)
        case .used: entry.used = InstantText.milliseconds(field.text)
        case .fieldLines: CSVFieldList.lines(field.secret, &entry)
        case .fieldObjects: CSVFieldList.objects(field.secret, name, &entry)
        case .field: entry.keep(name, field.secret)
        }
    }

    private static func isTrue(_ field: CSVField) -> Bool { ["1", "true", "yes"].contains(field.text.lowercased()) }

    private func sites(_ text: String) -> [String] {
        let sites = columns.format.joinsSites ? Self.separated(text) : [text.trimmed]
        return sites.filter { !$0.isEmpty }
    }

    /// Several URLs have commas between them; a comma inside of one is not followed by another one's scheme.
    private static func separated(_ text: String) -> [String] {
        let hasSchemes = text.contains("://")
        var sites: [String] = []
        for item in text.split(separator: ",", omittingEmptySubsequences: false) {
            let item = String(item)
            let beginsSite = !hasSchemes || beginsWithScheme(item.trimmed)
            if beginsSite || sites.isEmpty { sites.append(item.trimmed) } else { sites[sites.count - 1] += "," + item }
        }
        return sites
    }

    private static func beginsWithScheme(_ text: String) -> Bool {
        let scheme = text.utf8.prefix { $0 != UInt8(ascii: ":") }
        let isScheme = scheme.allSatisfy { byte in
            (0x30...0x39).contains(byte) || (0x61...0x7A).contains(byte | 0x20) || [0x2B, 0x2D, 0x2E].contains(byte)
        }
        return isScheme && !scheme.isEmpty && text.utf8.dropFirst(scheme.count).starts(with: "://".utf8)
    }

    private static func jsonSites(_ field: CSVField) -> [String]? {
        var scanner = JSONScanner(maximumDepth: 2)
        return field.secret.withUnsafeBytes { text in
            try? scanner.scan(text) { value throws(JSONError) in
                try value.elements { site throws(JSONError) in try site.string() }
            }
        }
    }
}
