// SPDX-License-Identifier: Apache-2.0

/// A field got the focus: what may be filled there, and why nothing may. It makes no offer; the reason goes to the
/// journal once for each field and screen.
package struct AutofillFocus: MethodCall {
    package static let method = Method.autofillFocus
    package let service: ServiceIdentifier
    /// The client's name for this form, a UUID: the screen.
    package let form: String?
    package let declaredForm: String?
    package let fields: [FieldDescription]
    /// The id of the field.
    package let field: String

    package init(
        service: ServiceIdentifier, form: String? = nil, declaredForm: String? = nil, fields: [FieldDescription],
        field: String
    ) {
        self.service = service
        self.form = form
        self.declaredForm = declaredForm
        self.fields = fields
        self.field = field
    }

    package init(from members: inout MemberReader) throws(ProtocolProblem) {
        service = try members.value("service")
        form = try members.optionalString("form", bytes: 1...64)
        (declaredForm, fields) = try members.declaredFormAndFields()
        field = try members.string("field", bytes: 1...Limits.fieldIDBytes)
    }

    package func write(to writer: inout JSONWriter) {
        writer.member("service", service)
        if let form { writer.member("form", form) }
        if let declaredForm { writer.member("declaredForm", declaredForm) }
        if declaredForm == nil || !fields.isEmpty { writer.member("fields", fields) }
        writer.member("field", field)
    }

    package struct Answer: WireValue, Hashable {
        package let formKind: String
        /// The part that the field plays: `username`, `password`, `newPassword`, `confirmation`, `oneTimeCode`, …
        package let role: String
        /// Why, in sentences: the form's, and the field's.
        package let grounds: [String]
        /// What `autofill.suggest` would suggest for this field: `strongPassword`, `savedCredentials`, `oneTimeCode`.
        package let suggests: [String]
        package let withheld: [Withheld]

        package init(formKind: String, role: String, grounds: [String], suggests: [String], withheld: [Withheld]) {
            self.formKind = formKind
            self.role = role
            self.grounds = grounds
            self.suggests = suggests
            self.withheld = withheld
        }

        package init(from members: inout MemberReader) throws(ProtocolProblem) {
            formKind = try members.string("formKind", bytes: 1...32)
            role = try members.string("role", bytes: 1...32)
            grounds = try members.strings("grounds")
            suggests = try members.strings("suggests")
            withheld = try members.values("withheld")
        }

        package func write(to writer: inout JSONWriter) {
            writer.member("formKind", formKind)
            writer.member("role", role)
            writer.member("grounds", grounds)
            writer.member("suggests", suggests)
            writer.member("withheld", withheld)
        }
    }
}
