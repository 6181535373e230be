// SPDX-License-Identifier: Apache-2.0
package import SecretMemory

/// An entry of an import: a record of `autofill-convert`.
package struct ImportedEntry: Message {
    /// Its kind; what a later version sends is read by its members.
    package struct Record: RawRepresentable, Hashable, Sendable {
        package static let login = Record(rawValue: "login")
        package static let note = Record(rawValue: "note")
        package let rawValue: String

        package init(rawValue: String) { self.rawValue = rawValue }
    }

    package let record: Record
    package let line: Int?
    package let title: String
    package let user: String
    package let password: SecretBytes?
    package let notes: SecretBytes?
    package let sites: [String]
    package let exactSites: [String]
    package let urls: [String]
    package let code: SecretBytes?
    package let folder: String
    package let tags: [String]
    package let isFavourite: Bool
    package let fields: [CustomFieldValue]
    package let history: [ImportedPassword]
    package let passkeys: [ImportedPasskey]
    package let times: ImportedTimes

    package init(
        _ record: Record = .login, line: Int? = nil, title: String = "", user: String = "",
        password: SecretBytes? = nil, notes: SecretBytes? = nil, sites: [String] = [], exactSites: [String] = [],
        urls: [String] = [], code: SecretBytes? = nil, folder: String = "", tags: [String] = [],
        isFavourite: Bool = false, fields: [CustomFieldValue] = [], history: [ImportedPassword] = [],
        passkeys: [ImportedPasskey] = [], times: ImportedTimes = ImportedTimes()
    ) {
        (self.record, self.line, self.title, self.user, self.password) = (record, line, title, user, password)
        (self.notes, self.sites, self.code, self.folder, self.tags) = (notes, sites, code, folder, tags)
        (self.isFavourite, self.fields, self.history) = (isFavourite, fields, history)
        (self.exactSites, self.urls, self.passkeys, self.times) = (exactSites, urls, passkeys, times)
    }

    package static func fields(_ field: inout some FieldVisitor<Self>) throws(ProtocolProblem) -> Self {
        Self(
            Record(rawValue: try field("record", \.record.rawValue, .word(Words.importRecords, 1...32), "Its kind.")),
            line: try field(optional: "line", \.line, .integer(1...Int.max), "Its line in the file."),
            title: try field("title", \.title, .string(0...Limits.credentialLabelBytes), absent: "", "Its title."),
            user: try field("user", \.user, .string(0...Limits.userBytes), absent: "", "The user name."),
            password: try field(
                optional: "password", \.password, .secret(0...Limits.passwordBytes), "The password."),
            notes: try field(optional: "notes", \.notes, .secret(0...Limits.notesBytes), "Notes; a secret."),
            sites: try field(
                "sites", \.sites, .strings(limit: Limits.servicesPerCredential, bytes: 0...Limits.siteBytes),
                absent: [], "The addresses that it is for."),
            exactSites: try field(
                "exactSites", \.exactSites,
                .strings(limit: Limits.servicesPerCredential, bytes: 0...Limits.siteBytes), absent: [],
                "Those of `sites` that are filled at their own host alone."),
            urls: try field(
                "urls", \.urls, .strings(limit: Limits.servicesPerCredential, bytes: 0...Limits.siteBytes),
                absent: [], "Those of `sites` that a credential helper saved as they are."),
            code: try field(
                optional: "code", \.code, .secret(0...2 * Limits.codeURIBytes), "An `otpauth://` URI."),
            folder: try field(
                "folder", \.folder, .string(0...Limits.collectionBytes), absent: "",
                "The names of the folders, with `/` between them."),
            tags: try field(
                "tags", \.tags, .strings(limit: Limits.tags, bytes: 1...Limits.tagBytes), absent: [], "The tags."),
            isFavourite: try field(
                "favourite", \.isFavourite, .boolean, absent: false, "It gets the tag `favourite`."),
            fields: try field(
                optional: "fields", { $0.fields.isEmpty ? nil : $0.fields }, .objects(limit: Limits.customFields),
                "Further fields.") ?? [],
            history: try field(
                optional: "history", { $0.history.isEmpty ? nil : $0.history },
                .objects(limit: Limits.formerPasswords), "Former passwords, the newest first.") ?? [],
            passkeys: try field(
                optional: "passkeys", { $0.passkeys.isEmpty ? nil : $0.passkeys },
                .objects(limit: Limits.passkeysPerCredential), "Passkeys, which are kept for an export.") ?? [],
            times: try field(\.times))
    }
}

/// When an entry was made, changed and used, in milliseconds since 1970.
package struct ImportedTimes: Message, Hashable {
    package let created: Int?
    package let changed: Int?
    package let used: Int?
    /// The last instant of the year 9999.
    static var range: ClosedRange<Int> { 0...253_402_300_799_999 }

    package init(created: Int? = nil, changed: Int? = nil, used: Int? = nil) {
        (self.created, self.changed, self.used) = (created, changed, used)
    }

    package static func fields(_ field: inout some FieldVisitor<Self>) throws(ProtocolProblem) -> Self {
        Self(
            created: try field(
                optional: "created", \.created, .integer(range), "When it was made, in milliseconds since 1970."),
            changed: try field(optional: "changed", \.changed, .integer(range), "When it was last changed."),
            used: try field(optional: "used", \.used, .integer(range), "When it was last used."))
    }
}

/// A former password of an imported entry.
package struct ImportedPassword: Message {
    package let password: SecretBytes
    package let replaced: Int?

    package init(password: SecretBytes, replaced: Int?) { (self.password, self.replaced) = (password, replaced) }

    package static func fields(_ field: inout some FieldVisitor<Self>) throws(ProtocolProblem) -> Self {
        Self(
            password: try field("password", \.password, .secret(0...Limits.passwordBytes), "The password."),
            replaced: try field(
                optional: "replaced", \.replaced, .integer(ImportedTimes.range),
                "When it was replaced, in milliseconds since 1970."))
    }
}
