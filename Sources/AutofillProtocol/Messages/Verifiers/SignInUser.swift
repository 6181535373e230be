// SPDX-License-Identifier: Apache-2.0

/// The current user of an app.
package struct SignInUser: Message, Hashable {
    package let name: String
    package let account: String

    package init(name: String, account: String) { (self.name, self.account) = (name, account) }

    package static func fields(_ field: inout some FieldVisitor<Self>) throws(ProtocolProblem) -> Self {
        Self(
            name: try field("name", \.name, .string(1...Limits.userBytes), "The name of the user."),
            account: try field(
                "account", \.account, .string(1...Limits.userBytes),
                "The account of the verifier, for example an e-mail address."))
    }
}
