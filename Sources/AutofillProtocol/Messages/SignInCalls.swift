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

/// The user signs out: the verifier is removed, then there is no current user.
package struct SignInEnd: MethodCall {
    package typealias Answer = Changed
    package static let method = Method.signInEnd
    package let interaction: Interaction

    package init(interaction: Interaction = .allow) {
        self.interaction = interaction
    }

    package init(from members: inout MemberReader) throws(ProtocolProblem) {
        interaction = try members.interaction()
    }

    package func write(to writer: inout JSONWriter) {
        if interaction == .forbid { writer.member("interaction", interaction.rawValue) }
    }
}

/// Whether a user is signed in, and who.
package struct SignInStatus: MethodCall {
    package typealias Answer = SignInState
    package static let method = Method.signInStatus
    package let interaction: Interaction

    package init(interaction: Interaction = .allow) {
        self.interaction = interaction
    }

    package init(from members: inout MemberReader) throws(ProtocolProblem) {
        interaction = try members.interaction()
    }

    package func write(to writer: inout JSONWriter) {
        if interaction == .forbid { writer.member("interaction", interaction.rawValue) }
    }
}

/// The current user of an app.
package struct SignInUser: WireValue, Hashable {
    package let name: String
    package let email: String

    package init(name: String, email: String) {
        self.name = name
        self.email = email
    }

    package init(from members: inout MemberReader) throws(ProtocolProblem) {
        name = try members.string("name", bytes: 1...Limits.userBytes)
        email = try members.string("email", bytes: 1...Limits.userBytes)
    }

    package func write(to writer: inout JSONWriter) {
        writer.member("name", name)
        writer.member("email", email)
    }
}

/// Whether a user is signed in.
package struct SignInState: WireValue, Hashable {
    /// A current user is set, and a verifier is there.
    package let isSignedIn: Bool
    /// nil where nobody is signed in.
    package let user: SignInUser?

    package init(isSignedIn: Bool, user: SignInUser?) {
        self.isSignedIn = isSignedIn
        self.user = user
    }

    package init(from members: inout MemberReader) throws(ProtocolProblem) {
        isSignedIn = try members.bool("signedIn")
        user = try members.optionalValue("user")
    }

    package func write(to writer: inout JSONWriter) {
        writer.member("signedIn", isSignedIn)
        writer.member("user", orNull: user)
    }
}
