// SPDX-License-Identifier: Apache-2.0

/// The one-time codes that a form can be filled with. The codes themselves come with `autofill.fill`.
package struct OneTimeCodeSuggestion: WireValue, Hashable {
    /// The fields that get the code.
    package let fields: [String]
    package let count: Int
    /// Those that came in first. Empty without a grant, but for what this connection saved itself.
    package let codes: [SuggestedCode]

    package init(fields: [String], count: Int, codes: [SuggestedCode]) {
        self.fields = fields
        self.count = count
        self.codes = codes
    }

    package init(from members: inout MemberReader) throws(ProtocolProblem) {
        fields = try members.strings("fields")
        count = try members.integer("count", in: 0...Int.max)
        codes = try members.values("codes")
    }

    package func write(to writer: inout JSONWriter) {
        writer.member("type", "oneTimeCode")
        writer.member("fields", fields)
        writer.member("count", count)
        writer.member("codes", codes)
    }
}

/// One code that can be filled.
package struct SuggestedCode: WireValue, Hashable {
    /// For `autofill.fill`.
    package let code: String
    /// `time`, `counter` or `incoming`.
    package let source: String
    /// nil for a code that came in.
    package let credential: String?
    package let user: String?
    /// Until when it can be filled; nil where there is no end.
    package let expires: String?

    package init(code: String, source: String, credential: String?, user: String?, expires: String?) {
        self.code = code
        self.source = source
        self.credential = credential
        self.user = user
        self.expires = expires
    }

    package init(from members: inout MemberReader) throws(ProtocolProblem) {
        code = try members.string("code", bytes: 1...64)
        source = try members.string("source", bytes: 1...32)
        credential = try members.optionalString("credential", bytes: 1...64)
        user = try members.optionalString("user", bytes: 0...Limits.userBytes)
        expires = try members.optionalString("expires", bytes: 1...64)
    }

    package func write(to writer: inout JSONWriter) {
        writer.member("code", code)
        writer.member("source", source)
        writer.member("credential", orNull: credential)
        writer.member("user", orNull: user)
        writer.member("expires", orNull: expires)
    }
}
