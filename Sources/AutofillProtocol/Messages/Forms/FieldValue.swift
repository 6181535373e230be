// SPDX-License-Identifier: Apache-2.0
package import SecretMemory

/// The value for one field.
package struct FieldValue: Message {
    package let field: String
    package let value: SecretBytes

    package init(field: String, value: SecretBytes) { (self.field, self.value) = (field, value) }

    package static func fields(_ field: inout some FieldVisitor<Self>) throws(ProtocolProblem) -> Self {
        Self(
            field: try field("field", \.field, .string(1...Limits.fieldIDBytes), "The id of the field."),
            value: try field("value", \.value, .secret(0...Limits.passwordBytes), "The value for it."))
    }
}
