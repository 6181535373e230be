// SPDX-License-Identifier: Apache-2.0

package struct AutofillFocus: MethodCall {
    package static let declaration = MethodDeclaration(
        .autofillFocus,
        """
        A field got the focus: what may be filled there, and why nothing may. It makes no \
        offer; the reason goes to the journal once for each field and screen.
        """, .own, app: .associated, vault: .open, repeatable: true)
    package let service: ServiceIdentifier
    package let form: String?
    package let declaredForm: String?
    package let fields: [FieldDescription]
    package let field: String

    package init(
        service: ServiceIdentifier, form: String? = nil, declaredForm: String? = nil, fields: [FieldDescription],
        field: String
    ) {
        (self.service, self.form, self.declaredForm, self.fields) = (service, form, declaredForm, fields)
        self.field = field
    }

    package static func fields(_ field: inout some FieldVisitor<Self>) throws(ProtocolProblem) -> Self {
        let service = try field.service(\.service)
        let form = try field.form(\.form)
        let declaredForm = try field.declaredForm(\.declaredForm)
        let fields = try field.fields(\.fields, orDeclared: \.declaredForm)
        try field.rule(.oneOrMore, of: ["fields", "declaredForm"], "an array of objects")
        return Self(
            service: service, form: form, declaredForm: declaredForm, fields: fields,
            field: try field("field", \.field, .string(1...Limits.fieldIDBytes), "The id of the field."))
    }

    package struct Answer: Message, Hashable {
        package let formKind: String
        package let role: String
        package let grounds: [String]
        package let suggests: [String]
        package let withheld: [Withheld]

        package init(formKind: String, role: String, grounds: [String], suggests: [String], withheld: [Withheld]) {
            (self.formKind, self.role, self.grounds, self.suggests) = (formKind, role, grounds, suggests)
            self.withheld = withheld
        }

        package static func fields(_ field: inout some FieldVisitor<Self>) throws(ProtocolProblem) -> Self {
            Self(
                formKind: try field(
                    "formKind", \.formKind, .word(Words.formKinds, 1...32), "What the form was taken for."),
                role: try field("role", \.role, .word(Words.roles, 1...32), "The part that the field plays."),
                grounds: try field("grounds", \.grounds, .strings(), "Why, in sentences: the form's, and the field's."),
                suggests: try field(
                    "suggests", \.suggests, .strings(Words.suggestions),
                    "What `autofill.suggest` would suggest for this field."),
                withheld: try field("withheld", \.withheld, .objects(), "What is not suggested, and why."))
        }
    }
}
