// SPDX-License-Identifier: Apache-2.0
package import SecretMemory

package struct SignInStart: MethodCall, InteractingCall {
    package typealias Answer = SignInState
    package static let declaration = MethodDeclaration(
        .signInStart,
        """
        Signs a user in: stores a verifier of the password, and makes the user the current \
        one.
        """, .own, app: .registered, vault: .open, repeatable: true)

    /// Where the verifier is, in the app's own access group.
    package struct SignInPlace: Message, Hashable {
        package let namespace: String?
        package let account: String

        package init(namespace: String? = nil, account: String) {
            (self.namespace, self.account) = (namespace, account)
        }

        package static func fields(_ field: inout some FieldVisitor<Self>) throws(ProtocolProblem) -> Self {
            Self(
                namespace: try field(
                    optional: "namespace", \.namespace, .string(1...Limits.itemNameBytes),
                    "The app's bundle ID when it is absent."),
                account: try field(
                    "account", \.account, .string(1...Limits.userBytes), "The account, for example an e-mail address."))
        }
    }

    package let place: SignInPlace
    package let name: String
    package let password: SecretBytes
    package let interaction: Interaction

    package init(place: SignInPlace, name: String, password: SecretBytes, interaction: Interaction = .allow) {
        (self.place, self.name, self.password, self.interaction) = (place, name, password, interaction)
    }

    package static func fields(_ field: inout some FieldVisitor<Self>) throws(ProtocolProblem) -> Self {
        Self(
            place: try field("place", \.place, .object(), "The verifier's."),
            name: try field("name", \.name, .string(1...Limits.userBytes), "The name of the user."),
            password: try field("password", \.password, .secret(1...Limits.passwordBytes), "The password."),
            interaction: try field.interaction(\.interaction))
    }
}
