// SPDX-License-Identifier: Apache-2.0
package import SecretMemory

/// What goes into one field.
package struct FieldValue: WireValue {
    package let field: String
    package let value: SecretBytes

    package init(field: String, value: SecretBytes) {
        self.field = field
        self.value = value
    }

    package init(from members: inout MemberReader) throws(ProtocolProblem) {
        field = try members.string("field", bytes: 1...Limits.fieldIDBytes)
        value = try members.secret("value", bytes: 0...Limits.passwordBytes)
    }

    package func write(to writer: inout JSONWriter) {
        writer.member("field", field)
        writer.member("value", value)
    }
}
