// SPDX-License-Identifier: Apache-2.0

/// What can be filled into the form that the app shows.
package struct AutofillSuggest: MethodCall {
    package static let method = Method.autofillSuggest
    package let service: ServiceIdentifier
    /// The client's name for this form, a UUID; the same form gets the same offer.
    package let form: String?
    package let fields: [FieldDescription]
    /// `readable` or `random`; the user's setting where it is absent.
    package let style: String?

    package init(service: ServiceIdentifier, form: String? = nil, fields: [FieldDescription], style: String? = nil) {
        self.service = service
        self.form = form
        self.fields = fields
        self.style = style
    }

    package init(from members: inout MemberReader) throws(ProtocolProblem) {
        service = try members.value("service")
        form = try members.optionalString("form", bytes: 1...64)
        fields = try members.values("fields", limit: Limits.formFields)
        style = try members.optionalString("style", oneOf: ["readable", "random"])
    }

    package func write(to writer: inout JSONWriter) {
        writer.member("service", service)
        if let form { writer.member("form", form) }
        writer.member("fields", fields)
        if let style { writer.member("style", style) }
    }

    package struct Answer: WireValue, Hashable {
        /// What the form was taken for: `signUp`, `signIn`, `changePassword`, `other`.
        package let formKind: String
        package let strongPassword: StrongPasswordSuggestion?
        package let savedCredentials: SavedCredentialsSuggestion?
        package let oneTimeCode: OneTimeCodeSuggestion?
        package let withheld: [Withheld]

        package init(
            formKind: String, strongPassword: StrongPasswordSuggestion?, savedCredentials: SavedCredentialsSuggestion?,
            oneTimeCode: OneTimeCodeSuggestion? = nil, withheld: [Withheld]
        ) {
            self.formKind = formKind
            self.strongPassword = strongPassword
            self.savedCredentials = savedCredentials
            self.oneTimeCode = oneTimeCode
            self.withheld = withheld
        }

        package init(from members: inout MemberReader) throws(ProtocolProblem) {
            formKind = try members.string("formKind", bytes: 1...32)
            var strongPassword: StrongPasswordSuggestion?
            var savedCredentials: SavedCredentialsSuggestion?
            var oneTimeCode: OneTimeCodeSuggestion?
            for var suggestion in try members.objects("suggestions") {
                switch try suggestion.string("type", bytes: 1...64) {
                case "strongPassword": strongPassword = try StrongPasswordSuggestion(from: &suggestion)
                case "savedCredentials": savedCredentials = try SavedCredentialsSuggestion(from: &suggestion)
                case "oneTimeCode": oneTimeCode = try OneTimeCodeSuggestion(from: &suggestion)
                default: continue
                }
            }
            self.strongPassword = strongPassword
            self.savedCredentials = savedCredentials
            self.oneTimeCode = oneTimeCode
            withheld = try members.values("withheld")
        }

        package func write(to writer: inout JSONWriter) {
            writer.member("formKind", formKind)
            writer.key("suggestions")
            writer.array { writer in
                if let strongPassword { writer.object(strongPassword) }
                if let savedCredentials { writer.object(savedCredentials) }
                if let oneTimeCode { writer.object(oneTimeCode) }
            }
            writer.member("withheld", withheld)
        }
    }
}

/// What is not offered, and why.
package struct Withheld: WireValue, Hashable {
    /// `strongPassword`, `savedCredentials` or `oneTimeCode`.
    package let type: String
    package let reasons: [ReasonReport]

    package init(type: String, reasons: [ReasonReport]) {
        self.type = type
        self.reasons = reasons
    }

    package init(from members: inout MemberReader) throws(ProtocolProblem) {
        type = try members.string("type", bytes: 1...64)
        reasons = try members.values("reasons")
    }

    package func write(to writer: inout JSONWriter) {
        writer.member("type", type)
        writer.member("reasons", reasons)
    }
}
