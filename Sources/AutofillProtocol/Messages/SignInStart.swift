// SPDX-License-Identifier: Apache-2.0
package import SecretMemory

/// A user signs in: a verifier of the password is kept, and the user is the current one.
package struct SignInStart: MethodCall {
    package typealias Answer = SignInState
    package static let method = Method.signInStart
    /// The verifier's; the app's bundle ID when it is absent.
    package let service: String?
    package let name: String
    package let email: String
    package let password: SecretBytes
    package let interaction: Interaction

    package init(
        service: String? = nil, name: String, email: String, password: SecretBytes, interaction: Interaction = .allow
    ) {
        self.service = service
        self.name = name
        self.email = email
        self.password = password
        self.interaction = interaction
    }

    package init(from members: inout MemberReader) throws(ProtocolProblem) {
        service = try members.optionalString("service", bytes: 1...Limits.itemNameBytes)
        name = try members.string("name", bytes: 1...Limits.userBytes)
        email = try members.string("email", bytes: 1...Limits.userBytes)
        password = try members.secret("password", bytes: 1...Limits.passwordBytes)
        interaction = try members.interaction()
    }

    package func write(to writer: inout JSONWriter) {
        if let service { writer.member("service", service) }
        writer.member("name", name)
        writer.member("email", email)
        writer.member("password", password)
        if interaction == .forbid { writer.member("interaction", interaction.rawValue) }
    }
}
