// SPDX-License-Identifier: Apache-2.0

/// What stands around a form's fields: it says what the form is for where the fields alone do not.
package struct FormWords: Message, Hashable {
    package let heading: String?
    package let submitLabels: [String]
    package let action: String?

    package init(heading: String? = nil, submitLabels: [String] = [], action: String? = nil) {
        (self.heading, self.submitLabels, self.action) = (heading, submitLabels, action)
    }

    package static func fields(_ field: inout some FieldVisitor<Self>) throws(ProtocolProblem) -> Self {
        Self(
            heading: try field(
                optional: "heading", \.heading, .string(0...Limits.fieldWordsBytes), "What people read above the form."),
            submitLabels: try field(
                "submitLabels", \.submitLabels,
                .strings(limit: Limits.submitLabels, bytes: 0...Limits.fieldWordsBytes), absent: [],
                "What people read on its buttons."),
            action: try field(
                optional: "action", \.action, .string(0...Limits.actionBytes),
                "The address that the form is sent to, or its path."))
    }
}

/// What a field was taken for.
package struct FieldRole: Message, Hashable {
    package let field: String
    package let role: String

    package init(field: String, role: String) { (self.field, self.role) = (field, role) }

    package static func fields(_ field: inout some FieldVisitor<Self>) throws(ProtocolProblem) -> Self {
        Self(
            field: try field("field", \.field, .string(1...Limits.fieldIDBytes), "The field's id."),
            role: try field("role", \.role, .word(Words.roles, 1...32), "Its part in the form."))
    }
}
