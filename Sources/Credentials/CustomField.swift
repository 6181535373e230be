// SPDX-License-Identifier: Apache-2.0
package import SecretMemory

/// A field that the user added to a credential.
package struct CustomField: Sendable {
    package let name: String
    package let value: SecretBytes
    /// Whether it is shown like a password.
    package let isSecret: Bool
    /// The fields that a later version wrote.
    package let unknown: [UnknownField]

    package init(name: String, value: SecretBytes, isSecret: Bool, unknown: [UnknownField] = []) {
        self.name = name
        self.value = value
        self.isSecret = isSecret
        self.unknown = unknown
    }
}

extension CustomField: Equatable {
    /// Compares bytes.
    package static func == (left: CustomField, right: CustomField) -> Bool {
        left.name.utf8.elementsEqual(right.name.utf8) && left.value.equals(right.value)
            && left.isSecret == right.isSecret && left.unknown == right.unknown
    }
}
