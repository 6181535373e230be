// SPDX-License-Identifier: Apache-2.0

/// A strong password that is in the vault and pending. `autofill.fill` returns the password itself.
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
                "fields", \.fields, .strings(), "The fields for it: the new password's and its confirmation's."),
            rules: try field(
                "rules", \.rules, .string(0...65536), "The rules it was generated with, in canonical form."),
            length: try field("length", \.length, .integer(0...4096), "The length in characters."),
            count: try field(
                "count", \.count, .string(1...4096),
                "The number of passwords it was selected from, uniformly: exact, in decimal."),
            bits: try field("bits", \.bits, .string(1...32), "Log₂ of the count, to two decimals."),
            style: try field("style", \.style, .word(Words.styles, 1...32), "The style of the password."),
            expires: try field(
                "expires", \.expires, .instant, "The end of the time in which it can be filled and accepted."),
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

    static let aboutMore: StaticString = "Whether there are others: those that were used last are listed."

    package static func fields(_ field: inout some FieldVisitor<Self>) throws(ProtocolProblem) -> Self {
        field.tag("type", "savedCredentials")
        return Self(
            fields: try field(
                "fields", \.fields, .strings(), "The fields for the user name and the password."),
            credentials: try field(
                "credentials", \.credentials, .objects(),
                "Those that the app may know: all under a grant, else those that this connection saved itself."),
            related: try field(
                "related", \.related, .objects(), absent: [], "Those of the app's other associated domains."),
            shared: try field(
                "shared", \.shared, .objects(), absent: [],
                "Those of domains that share their accounts with this one."),
            hasMore: try field("more", \.hasMore, .boolean, absent: false, Self.aboutMore))
    }
}
