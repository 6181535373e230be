// SPDX-License-Identifier: Apache-2.0
package import AutofillProtocol
package import DaemonSocket
import Synchronization

/// A session of one app with autofilld, over a Unix socket. All calls may be made at the same time; a cancelled task
/// takes its request back.
///
/// ```swift
/// do throws(AutofillError) {
///     let session = try await AutofillSession.connect(bundleID: "org.example.Shop")
///     let suggestions = try await session.suggestions(for: form)
///     if let offer = suggestions.strongPassword {
///         let filled = try await session.fill(offer)               // show filled.values in the fields
///         try await session.accept(offer, user: "jo@example.com")  // once the site took the password
///     }
/// } catch .unavailable {
///     // no AutoFill on this machine: the form works without it
/// } catch {
///     // refused: the reasons say why, and what mends it
/// }
/// ```
///
/// **When the service starts anew** (an upgrade, a crash) the session goes on: the next call connects again and says
/// hello again. A call whose answer was lost on the way, or that still waited when the service was stopped, is sent again
/// by itself where that does no more than once would (``AutofillError/connectionLost`` says which not; of the others the
/// one that waited is refused for ``AutofillReason/Code/stopping``). What the session saved itself is then no longer its own: reading
/// it takes the person's word, as in any new session. Sequences of events go on too, and tell
/// ``AutofillEvent/Kind/stateChanged(vault:settings:)`` in the place of what they missed.
///
/// The connection closes with the last reference.
///
/// **For those who know the iOS API:**
///
/// | Apple's | here |
/// |---|---|
/// | `UITextField`: `textContentType`, `isSecureTextEntry`, `keyboardType`, `passwordRules` | ``FormField``, in an ``AutofillForm`` |
/// | `UITextInputPasswordRules(descriptor:)` | `PasswordRules(descriptor:)` of the module `PasswordRules` |
/// | a form in Interface Builder | the registration's `forms`, named by ``AutofillForm/declaredForm`` |
/// | a web view's `<input>` | ``FormField/HTMLAttributes`` |
/// | the Automatic Strong Passwords sheet, the QuickType bar | ``suggestions(for:style:)`` |
/// | "Use Strong Password", "Choose My Own Password" | ``fill(_:)`` and ``accept(_:user:interaction:)``; ``decline(_:)`` |
/// | the console's `[AutoFill] Cannot show Automatic Strong Passwords …` | ``focused(_:in:)``, ``AutofillSuggestions/strongPasswordWithheld``, ``diagnose(for:form:)`` |
/// | the "Save Password?" sheet | ``submitted(_:values:interaction:)`` |
/// | `SecAddSharedWebCredential`, `SecRequestSharedWebCredential` | ``save(_:for:with:ifVersion:interaction:)``, ``credential(for:user:interaction:)`` |
/// | `ASPasswordCredential`, `ASPasswordCredentialIdentity`, `ASCredentialServiceIdentifier` | ``PasswordCredential``, ``SavedCredential``, ``CredentialServiceIdentifier`` |
/// | security codes, `.oneTimeCode` | ``AutofillSuggestions/oneTimeCode``, ``oneTimeCode(for:user:interaction:)``, ``setOneTimeCode(_:user:for:interaction:)`` |
/// | `com.apple.developer.associated-domains`, `swcutil` | the registration's entitlement, ``associatedDomains()`` |
/// | the switches in Settings, Passwords | ``settings(interaction:)``, ``setSetting(_:to:app:interaction:)`` |
/// | `KeychainPasswordItem` of the sample "GenericKeychain", `kSecAttrAccessGroup` | ``KeychainPasswordItem`` |
/// | an `AuthController` with a salted hash, `loginStatusChanged` of `NotificationCenter` | ``AuthController``, ``events()`` |
/// | `LAContext.interactionNotAllowed` | ``UserInteraction/forbidden`` |
public final class AutofillSession: Sendable {
    private let link: Link

    /// What the service found out about the app, and its state, when the session last connected.
    public var greeting: Greeting { link.greeting.withLock { $0 } }

    private init(_ link: Link) { self.link = link }

    /// Begins a session as the app of this bundle ID. Where the service is not there this fails at once; where it is there
    /// and does not answer, after 5 seconds.
    ///
    /// - Parameters:
    ///   - bundleID: the app's, as in its registration.
    ///   - socketPath: another socket than the user's own: `autofilld --ephemeral --socket PATH`, for tests.
    /// - Throws: ``AutofillError/unavailable(_:)`` where there is no service, ``AutofillError/invalidRequest(_:)`` where
    ///   the bundle ID is none.
    public static func connect(bundleID: String, socketPath: String? = nil) async throws(AutofillError)
        -> AutofillSession
    {
        try await connect(bundleID: bundleID, to: ServiceSocket.ofThisProcess(path: socketPath))
    }

    /// The same, at a socket of one's own choice, with a witness of all lines.
    package static func connect(
        bundleID: String, to socket: ServiceSocket, patience: Duration = .seconds(5), transcript: Transcript? = nil,
        reconnects: Bool = true, hidesMemory: Bool = false
    ) async throws(AutofillError) -> AutofillSession {
        let dialler = Dialler(
            bundleID: bundleID, socket: socket, patience: patience, transcript: transcript, hidesMemory: hidesMemory)
        return AutofillSession(try await Link.open(dialler, reconnects: reconnects))
    }

    /// Any call of the protocol. It is sent again, once, where the connection was lost or the service stops, and nothing is
    /// done twice by that.
    package func perform<Call: MethodCall>(_ call: Call) async throws(AutofillError) -> Call.Answer {
        let connection = try await link.connection()
        do throws(AutofillError) {
            return try await connection.perform(call)
        } catch {
            if error.isRefused(for: .stopping) {
                await link.retire(connection)
            } else if error != .connectionLost {
                throw error
            }
            guard link.reconnects, call.isRepeatable else { throw error }
            return try await link.connection().perform(call)
        }
    }

    /// Has events told on the connection of now.
    func subscribe() async throws(AutofillError) -> (answer: EventSubscribe.Answer, stream: AsyncStream<AutofillEvent>)
    {
        try await link.connection().subscribe()
    }

    /// Whether a lost connection is made anew.
    var reconnects: Bool { link.reconnects }
}
