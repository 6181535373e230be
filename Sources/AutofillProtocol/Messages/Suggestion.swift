// SPDX-License-Identifier: Apache-2.0

/// A strong password that waits in the vault. The password itself comes with `autofill.fill`.
package struct StrongPasswordSuggestion: WireValue, Hashable {
    package let offer: String
    /// The fields that get it: the new password's and its confirmations.
    package let fields: [String]
    /// The rules it was drawn under, in canonical form.
    package let rules: String
    package let length: Int
    /// How many passwords it was drawn from, uniformly: exact, in decimal.
    package let count: String
    /// log₂ of that, to two decimals.
    package let bits: String
    package let style: String
    /// RFC 3339.
    package let expires: String
    /// What was left out of the rules or the target, for the developer.
    package let diagnostics: [String]

    package init(
        offer: String, fields: [String], rules: String, length: Int, count: String, bits: String, style: String,
        expires: String, diagnostics: [String]
    ) {
        self.offer = offer
        self.fields = fields
        self.rules = rules
        self.length = length
        self.count = count
        self.bits = bits
        self.style = style
        self.expires = expires
        self.diagnostics = diagnostics
    }

    package init(from members: inout MemberReader) throws(ProtocolProblem) {
        offer = try members.string("offer", bytes: 1...64)
        fields = try members.strings("fields")
        rules = try members.string("rules", bytes: 0...65536)
        length = try members.integer("length", in: 0...4096)
        count = try members.string("count", bytes: 1...4096)
        bits = try members.string("bits", bytes: 1...32)
        style = try members.string("style", bytes: 1...32)
        expires = try members.string("expires", bytes: 1...64)
        diagnostics = try members.strings("diagnostics")
    }

    package func write(to writer: inout JSONWriter) {
        writer.member("type", "strongPassword")
        writer.member("offer", offer)
        writer.member("fields", fields)
        writer.member("rules", rules)
        writer.member("length", length)
        writer.member("count", count)
        writer.member("bits", bits)
        writer.member("style", style)
        writer.member("expires", expires)
        writer.member("diagnostics", diagnostics)
    }
}

/// What is saved for the service. Names only under a grant.
package struct SavedCredentialsSuggestion: WireValue, Hashable {
    /// Where each can be filled: the user name's field and the password's.
    package let fields: [String]
    package let count: Int
    /// Empty without a grant.
    package let credentials: [CredentialSummary]
    /// Those of the app's other associated domains.
    package let related: [CredentialSummary]
    /// Those of domains that are known to share their accounts with this one.
    package let shared: [CredentialSummary]

    package init(
        fields: [String], count: Int, credentials: [CredentialSummary], related: [CredentialSummary] = [],
        shared: [CredentialSummary] = []
    ) {
        self.fields = fields
        self.count = count
        self.credentials = credentials
        self.related = related
        self.shared = shared
    }

    package init(from members: inout MemberReader) throws(ProtocolProblem) {
        fields = try members.strings("fields")
        count = try members.integer("count", in: 0...Int.max)
        credentials = try members.values("credentials")
        related = try members.optionalValues("related") ?? []
        shared = try members.optionalValues("shared") ?? []
    }

    package func write(to writer: inout JSONWriter) {
        writer.member("type", "savedCredentials")
        writer.member("fields", fields)
        writer.member("count", count)
        writer.member("credentials", credentials)
        if !related.isEmpty { writer.member("related", related) }
        if !shared.isEmpty { writer.member("shared", shared) }
    }
}

/// A credential without its secrets.
package struct CredentialSummary: WireValue, Hashable {
    package let credential: String
    package let service: ServiceIdentifier
    package let user: String
    package let version: Int
    package let created: String
    package let changed: String
    package let lastUsed: String?
    /// When it was deleted; nil for one that was not, and then not written.
    package let deleted: String?

    package init(
        credential: String, service: ServiceIdentifier, user: String, version: Int, created: String, changed: String,
        lastUsed: String?, deleted: String? = nil
    ) {
        self.deleted = deleted
        self.credential = credential
        self.service = service
        self.user = user
        self.version = version
        self.created = created
        self.changed = changed
        self.lastUsed = lastUsed
    }

    package init(from members: inout MemberReader) throws(ProtocolProblem) {
        credential = try members.string("credential", bytes: 1...64)
        service = try members.value("service")
        user = try members.string("user", bytes: 0...Limits.userBytes)
        version = try members.integer("version", in: 1...Int.max)
        created = try members.string("created", bytes: 1...64)
        changed = try members.string("changed", bytes: 1...64)
        lastUsed = try members.optionalString("lastUsed", bytes: 1...64)
        deleted = try members.optionalString("deleted", bytes: 1...64)
    }

    package func write(to writer: inout JSONWriter) {
        writer.member("credential", credential)
        writer.member("service", service)
        writer.member("user", user)
        writer.member("version", version)
        writer.member("created", created)
        writer.member("changed", changed)
        writer.member("lastUsed", orNull: lastUsed)
        if let deleted { writer.member("deleted", deleted) }
    }
}
