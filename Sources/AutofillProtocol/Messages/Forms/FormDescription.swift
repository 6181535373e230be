// SPDX-License-Identifier: Apache-2.0

/// A form as the app shows it: its name, its fields, and the texts around them.
package struct FormDescription: Message {
    /// The client's name for it.
    package let id: String?
    /// The name of the form in the app's registration.
    package let declared: String?
    package let fields: [FieldDescription]
    package let words: FormWords
    /// The field that has the focus.
    package let focus: String?

    package init(
        _ fields: [FieldDescription] = [], id: String? = nil, declared: String? = nil, words: FormWords = FormWords(),
        focus: String? = nil
    ) {
        (self.id, self.declared, self.fields, self.words, self.focus) = (id, declared, fields, words, focus)
    }

    package static func fields(_ field: inout some FieldVisitor<Self>) throws(ProtocolProblem) -> Self {
        let id = try field(
            optional: "id", \.id, .string(1...64),
            "The client's name for this form, a random UUID; the same form gets the same offer.")
        let declared = try field(
            optional: "declared", \.declared, .string(1...64), "The form of this name in the app's registration.")
        let fields = try field(
            optional: "fields",
            { form in form.declared != nil && form.fields.isEmpty ? nil : form.fields },
            .objects(limit: Limits.formFields),
            "The form's fields; of a declared form those that differ from the declaration now.")
        let form = Self(
            fields ?? [], id: id, declared: declared, words: try field(\.words),
            focus: try field(
                optional: "focus", \.focus, .string(1...Limits.fieldIDBytes),
                "The id of the field that has the focus: `autofill.suggest` suggests or withholds only what is for it.")
        )
        try field.rule(.oneOrMore, of: ["fields", "declared"], "an array of objects")
        return form
    }
}
