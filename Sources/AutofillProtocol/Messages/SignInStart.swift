// SPDX-License-Identifier: Apache-2.0
package import SecretMemory

package struct SignInStart: MethodCall, InteractingCall {
    package typealias Answer = SignInState
    package static let declaration = MethodDeclaration(
        .signInStart,
        """
        A user signs in: a verifier of the password is kept, and the user is the current \
        one.
        """, .own, app: .registered, vault: .open, repeatable: true)
    package let service: String?
    package let name: String
    package let email: String
    package let password: SecretBytes
    package let interaction: Interaction

    package init(
        service: String? = nil, name: String, email: String, password: SecretBytes, interaction: Interaction = .allow
    ) {
        (self.service, self.name, self.email, self.password) = (service, name, email, password)
        self.interaction = interaction
    }

    package static func fields(_ field: inout some FieldVisitor<Self>) throws(ProtocolProblem) -> Self {
        Self(
            service: try field(
                optional: "service", \.service, .string(1...Limits.itemNameBytes),
                "The verifier's; the app's bundle ID when it is absent."),
            name: try field("name", \.name, .string(1...Limits.userBytes), "The name of the user."),
            email: try field("email", \.email, .string(1...Limits.userBytes), "The e-mail address of the user."),
            password: try field("password", \.password, .secret(1...Limits.passwordBytes), "The password."),
            interaction: try field.interaction(\.interaction))
    }
}
