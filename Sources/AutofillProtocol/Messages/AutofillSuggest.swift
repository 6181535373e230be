// SPDX-License-Identifier: Apache-2.0

/// What can be filled into the form that the app shows.
package struct AutofillSuggest: MethodCall {
    package static let method = Method.autofillSuggest
    package let service: ServiceIdentifier
    /// The client's name for this form, a UUID; the same form gets the same offer.
    package let form: String?
    /// The form of this name in the app's registration.
    package let declaredForm: String?
    /// The fields; where a declared form is named too, those that differ from its own now.
    package let fields: [FieldDescription]
    /// `readable` or `random`; the user's setting where it is absent.
    package let style: String?

    package init(
        service: ServiceIdentifier, form: String? = nil, declaredForm: String? = nil, fields: [FieldDescription],
        style: String? = nil
    ) {
        self.service = service
        self.form = form
        self.declaredForm = declaredForm
        self.fields = fields
        self.style = style
    }

    package init(from members: inout MemberReader) throws(ProtocolProblem) {
        service = try members.value("service")
        form = try members.optionalString("form", bytes: 1...64)
        (declaredForm, fields) = try members.declaredFormAndFields()
        style = try members.optionalString("style", oneOf: ["readable", "random"])
    }

    package func write(to writer: inout JSONWriter) {
        writer.member("service", service)
        if let form { writer.member("form", form) }
        if let declaredForm { writer.member("declaredForm", declaredForm) }
        if declaredForm == nil || !fields.isEmpty { writer.member("fields", fields) }
        if let style { writer.member("style", style) }
    }

    package struct Answer: WireValue, Hashable {
        /// What the form was taken for: `signUp`, `signIn`, `changePassword`, `oneTimeCode`, `other`.
        package let formKind: String
        /// Why, in sentences: the form's first, then one a field.
        package let grounds: [String]
        package let strongPassword: StrongPasswordSuggestion?
        package let savedCredentials: SavedCredentialsSuggestion?
        package let withheld: [Withheld]
        /// What is publicly known of the site; nil where nothing is.
        package let site: SiteReport?

        package init(
            formKind: String, grounds: [String] = [], strongPassword: StrongPasswordSuggestion?,
            savedCredentials: SavedCredentialsSuggestion?, withheld: [Withheld], site: SiteReport? = nil
        ) {
            self.formKind = formKind
            self.grounds = grounds
            self.site = site
            self.strongPassword = strongPassword
            self.savedCredentials = savedCredentials
            self.withheld = withheld
        }

        package init(from members: inout MemberReader) throws(ProtocolProblem) {
            formKind = try members.string("formKind", bytes: 1...32)
            grounds = try members.strings("grounds")
            site = try members.optionalValue("site")
            var strongPassword: StrongPasswordSuggestion?
            var savedCredentials: SavedCredentialsSuggestion?
            for var suggestion in try members.objects("suggestions") {
                switch try suggestion.string("type", bytes: 1...64) {
                case "strongPassword": strongPassword = try StrongPasswordSuggestion(from: &suggestion)
                case "savedCredentials": savedCredentials = try SavedCredentialsSuggestion(from: &suggestion)
                default: continue
                }
            }
            self.strongPassword = strongPassword
            self.savedCredentials = savedCredentials
            withheld = try members.values("withheld")
        }

        package func write(to writer: inout JSONWriter) {
            writer.member("formKind", formKind)
            writer.member("grounds", grounds)
            writer.key("suggestions")
            writer.array { writer in
                if let strongPassword { writer.object(strongPassword) }
                if let savedCredentials { writer.object(savedCredentials) }
            }
            writer.member("withheld", withheld)
            if let site { writer.member("site", site) }
        }
    }
}

extension MemberReader {
    /// `declaredForm` and `fields`: one of them is needed.
    mutating func declaredFormAndFields() throws(ProtocolProblem) -> (String?, [FieldDescription]) {
        let declared = try optionalString("declaredForm", bytes: 1...64)
        let fields: [FieldDescription]? = try optionalValues("fields", limit: Limits.formFields)
        guard let fields = fields ?? (declared == nil ? nil : []) else {
            throw missing("fields", "an array of objects")
        }
        return (declared, fields)
    }
}

/// What is not offered, and why.
package struct Withheld: WireValue, Hashable {
    /// `strongPassword` or `savedCredentials`.
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
