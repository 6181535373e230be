// SPDX-License-Identifier: Apache-2.0

/// A verifier was kept.
package struct VerifierSaved: Message, Hashable {
    package let verifier: String
    package let changed: Bool

    package init(verifier: String, changed: Bool) { (self.verifier, self.changed) = (verifier, changed) }

    package static func fields(_ field: inout some FieldVisitor<Self>) throws(ProtocolProblem) -> Self {
        Self(
            verifier: try field("verifier", \.verifier, .id, "Its id."),
            changed: try field.changed(\.changed))
    }
}
