// SPDX-License-Identifier: Apache-2.0

/// The current user of an app.
package struct SignInUser: Message, Hashable {
    package let name: String
    package let email: String

    package init(name: String, email: String) { (self.name, self.email) = (name, email) }

    package static func fields(_ field: inout some FieldVisitor<Self>) throws(ProtocolProblem) -> Self {
        Self(
            name: try field("name", \.name, .string(1...Limits.userBytes), "The name of the user."),
            email: try field("email", \.email, .string(1...Limits.userBytes), "The e-mail address of the user."))
    }
}
