// SPDX-License-Identifier: Apache-2.0

/// The texts around a form's fields. They determine the kind of a form if its fields do not.
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
                optional: "heading", \.heading, .string(0...Limits.fieldWordsBytes), "The heading above the form."),
            submitLabels: try field(
                "submitLabels", \.submitLabels,
                .strings(limit: Limits.submitLabels, bytes: 0...Limits.fieldWordsBytes), absent: [],
                "The labels of its buttons."),
            action: try field(
                optional: "action", \.action, .string(0...Limits.actionBytes),
                "The URL that the form is sent to, or the path of the URL."))
    }
}

/// The role of a field.
package struct FieldRole: Message, Hashable {
    package let field: String
    package let role: String

    package init(field: String, role: String) { (self.field, self.role) = (field, role) }

    package static func fields(_ field: inout some FieldVisitor<Self>) throws(ProtocolProblem) -> Self {
        Self(
            field: try field("field", \.field, .string(1...Limits.fieldIDBytes), "The field's id."),
            role: try field("role", \.role, .word(Words.roles, 1...32), "Its role in the form."))
    }
}
