// SPDX-License-Identifier: Apache-2.0

/// A strong password that waits in the vault. The password itself comes with `autofill.fill`.
package struct StrongPasswordSuggestion: Message, Hashable {
    package let offer: String
    package let fields: [String]
    package let rules: String
    package let length: Int
    package let count: String
    package let bits: String
    package let style: String
    package let expires: String
    package let diagnostics: [String]

    package init(
        offer: String, fields: [String], rules: String, length: Int, count: String, bits: String, style: String,
        expires: String, diagnostics: [String]
    ) {
        (self.offer, self.fields, self.rules, self.length, self.count) = (offer, fields, rules, length, count)
        (self.bits, self.style, self.expires, self.diagnostics) = (bits, style, expires, diagnostics)
    }

    package static func fields(_ field: inout some FieldVisitor<Self>) throws(ProtocolProblem) -> Self {
        field.tag("type", "strongPassword")
        return Self(
            offer: try field("offer", \.offer, .id, "Its id."),
            fields: try field(
                "fields", \.fields, .strings(), "The fields that get it: the new password's and its confirmations."),
            rules: try field("rules", \.rules, .string(0...65536), "The rules it was drawn under, in canonical form."),
            length: try field("length", \.length, .integer(0...4096), "In characters."),
            count: try field(
                "count", \.count, .string(1...4096),
                "How many passwords it was drawn from, uniformly: exact, in decimal."),
            bits: try field("bits", \.bits, .string(1...32), "Log₂ of that, to two decimals."),
            style: try field("style", \.style, .word(Words.styles, 1...32), "How the password looks."),
            expires: try field("expires", \.expires, .instant, "Until then it can be filled and accepted."),
            diagnostics: try field(
                "diagnostics", \.diagnostics, .strings(),
                "What was left out of the rules or the target, for the developer."))
    }
}

/// What is saved for the service. Names only under a grant.
package struct SavedCredentialsSuggestion: Message, Hashable {
    package let fields: [String]
    package let credentials: [CredentialSummary]
    package let related: [CredentialSummary]
    package let shared: [CredentialSummary]
    package let hasMore: Bool

    package init(
        fields: [String], credentials: [CredentialSummary], related: [CredentialSummary] = [],
        shared: [CredentialSummary] = [], hasMore: Bool = false
    ) {
        (self.fields, self.credentials, self.related) = (fields, credentials, related)
        (self.shared, self.hasMore) = (shared, hasMore)
    }

    static let aboutMore: StaticString = "Whether there are others: those that were used last are told."

    package static func fields(_ field: inout some FieldVisitor<Self>) throws(ProtocolProblem) -> Self {
        field.tag("type", "savedCredentials")
        return Self(
            fields: try field(
                "fields", \.fields, .strings(), "Where each can be filled: the user name's field and the password's."),
            credentials: try field(
                "credentials", \.credentials, .objects(),
                "Without a grant those that this connection made or saved itself; others are not told of."),
            related: try field(
                "related", \.related, .objects(), absent: [], "Those of the app's other associated domains."),
            shared: try field(
                "shared", \.shared, .objects(), absent: [],
                "Those of domains that are known to share their accounts with this one."),
            hasMore: try field("more", \.hasMore, .boolean, absent: false, Self.aboutMore))
    }
}
