// SPDX-License-Identifier: Apache-2.0

/// A credential was saved, or was there already.
package struct SavedAnswer: Message, Hashable {
    package let credential: String
    package let changed: Bool

    package init(credential: String, changed: Bool) {
        (self.credential, self.changed) = (credential, changed)
    }

    package static func fields(_ field: inout some FieldVisitor<Self>) throws(ProtocolProblem) -> Self {
        Self(
            credential: try field("credential", \.credential, .id, "Its id."),
            changed: try field.changed(\.changed))
    }
}
