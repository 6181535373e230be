// SPDX-License-Identifier: Apache-2.0
import AutofillProtocol
import SecretMemory

/// The user who is signed in to the app: the `AuthController` of Apple's article. The service keeps the state over restarts
/// of the app and of itself.
///
/// Signed in means that a current user is set *and* a verifier of the password exists. All sessions of the app are
/// notified of a change by the event `loginStatusChanged`; the article posts the notification of that name.
///
/// ```swift
/// let auth = AuthController(session)
/// try await auth.signIn(User(name: "Jo", email: "jo@example.com"), password: password)
/// if try await auth.isSignedIn { … }
/// try await auth.signOut()
/// ```
public struct AuthController: Sendable {
    /// The current user: a name and an e-mail address, 1 to 1,024 bytes each.
    public struct User: Hashable, Sendable {
        /// The name of the user.
        public let name: String
        /// The account of the verifier.
        public let email: String

        /// - Parameters:
        ///   - name: the name of the user.
        ///   - email: the account of the verifier.
        public init(name: String, email: String) {
            self.name = name
            self.email = email
        }
    }

    /// The service of the verifiers; nil for the app's bundle ID.
    public let serviceName: String?
    /// Whether the user may be prompted, if another program of the app has signed in.
    public var interaction = UserInteraction.allowed
    private let session: AutofillSession

    /// - Parameters:
    ///   - session: the app's session.
    ///   - serviceName: the service of the verifiers; nil for the app's bundle ID.
    public init(_ session: AutofillSession, serviceName: String? = nil) {
        self.session = session
        self.serviceName = serviceName
    }

    /// Whether a user is signed in.
    public var isSignedIn: Bool {
        get async throws(AutofillError) { try await currentUser != nil }
    }

    /// The user who is signed in.
    public var currentUser: User? {
        get async throws(AutofillError) {
            try await session.perform(SignInStatus(interaction: interaction.wire), interaction).user.map(User.init)
        }
    }

    /// Stores a verifier of the password, and makes the user the current one. The user who was signed in before is signed out.
    /// For the same user this changes the password. Repeatable.
    public func signIn(_ user: User, password: String) async throws(AutofillError) {
        _ = try await session.perform(
            SignInStart(
                place: .init(namespace: serviceName, account: user.email), name: user.name,
                password: SecretBytes(utf8: password), interaction: interaction.wire), interaction)
    }

    /// Returns whether this is the password of the user who is signed in; false if nobody is.
    public func isPassword(_ password: String) async throws(AutofillError) -> Bool {
        guard let user = try await currentUser else { return false }
        let service = serviceName ?? session.greeting.app.bundleID
        return try await session.check(password, service: service, account: user.email)
    }

    /// Removes the verifier, then the current user. Repeatable.
    public func signOut() async throws(AutofillError) {
        _ = try await session.perform(SignInEnd(interaction: interaction.wire), interaction)
    }
}

extension AuthController.User {
    init(_ user: SignInUser) { self.init(name: user.name, email: user.account) }
}
