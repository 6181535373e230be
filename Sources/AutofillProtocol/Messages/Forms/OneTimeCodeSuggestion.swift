// SPDX-License-Identifier: Apache-2.0

/// The one-time codes that a form can be filled with. The codes themselves come with `autofill.fill`.
package struct OneTimeCodeSuggestion: Message, Hashable {
    package let fields: [String]
    package let codes: [SuggestedCode]
    package let hasMore: Bool

    package init(fields: [String], codes: [SuggestedCode], hasMore: Bool = false) {
        (self.fields, self.codes, self.hasMore) = (fields, codes, hasMore)
    }

    package static func fields(_ field: inout some FieldVisitor<Self>) throws(ProtocolProblem) -> Self {
        field.tag("type", "oneTimeCode")
        return Self(
            fields: try field("fields", \.fields, .strings(), "The fields for the code."),
            codes: try field(
                "codes", \.codes, .objects(),
                "Those that the app may know, incoming ones first; without a grant those that this connection set itself."
            ),
            hasMore: try field(
                "more", \.hasMore, .boolean, absent: false, SavedCredentialsSuggestion.aboutMore))
    }
}

/// One code that can be filled.
package struct SuggestedCode: Message, Hashable {
    package let code: String
    package let source: String
    package let credential: String?
    package let user: String?
    package let expires: String?

    package init(code: String, source: String, credential: String?, user: String?, expires: String?) {
        (self.code, self.source, self.credential, self.user, self.expires) = (code, source, credential, user, expires)
    }

    package static func fields(_ field: inout some FieldVisitor<Self>) throws(ProtocolProblem) -> Self {
        Self(
            code: try field("codeID", \.code, .id, "Its id, for `autofill.fill`."),
            source: try field("source", \.source, .word(Words.codeSources, 1...32), "`time`, `counter` or `incoming`."),
            credential: try field(optional: "credential", \.credential, .id, "Absent for an incoming code."),
            user: try field(optional: "user", \.user, .string(0...Limits.userBytes), "The user name."),
            expires: try field(
                optional: "expires", \.expires, .instant,
                "The end of the time in which it can be filled; absent if there is no end."))
    }
}
