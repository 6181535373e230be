// SPDX-License-Identifier: Apache-2.0
package import AutofillProtocol
package import DaemonSocket
import Synchronization

/// A session of one app with autofilld, over a Unix socket. All calls may be made at the same time; a cancelled task
/// cancels its request.
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
///     // refused: each reason has its fix
/// }
/// ```
///
/// **When the service restarts** (an upgrade, a crash) the session continues: the next call connects again and sends `hello`
/// again. A call whose answer was lost, or that waited when the service stopped, is sent again automatically if it is
/// repeatable (``AutofillError/connectionLost`` lists the calls that are not; one of those that waited is refused for
/// ``AutofillReason/Code/stopping``). The session then no longer owns what it saved before: reading that needs the user's
/// consent, as in any new session. Sequences of events continue too, and return
/// ``AutofillEvent/Kind/stateChanged(vault:settings:)`` instead of the events that they missed.
///
/// The connection closes with the last reference.
///
/// **The iOS API, and this one:**
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
/// | the "Save Password?" sheet | ``submit(_:values:interaction:)``, ``confirm(_:interaction:)`` |
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

    /// What the service returned about the app and its own state when the session last connected.
    public var greeting: Greeting { link.greeting.withLock { $0 } }

    private init(_ link: Link) { self.link = link }

    /// Opens a session as the app of this bundle ID. Fails at once if the service is not available, and after 5 seconds if it
    /// does not answer.
    ///
    /// - Parameters:
    ///   - bundleID: the bundle ID in the app's registration.
    ///   - socketPath: the socket of `autofilld --ephemeral --socket PATH`, for tests; nil for the user's own.
    /// - Throws: ``AutofillError/unavailable(_:)`` if there is no service, ``AutofillError/invalidRequest(_:)`` if the bundle
    ///   ID is malformed.
    public static func connect(bundleID: String, socketPath: String? = nil) async throws(AutofillError)
        -> AutofillSession
    {
        try await connect(bundleID: bundleID, to: ServiceSocket.ofThisProcess(path: socketPath))
    }

    /// The same, for any socket; `transcript` receives all lines.
    package static func connect(
        bundleID: String, to socket: ServiceSocket, patience: Duration = .seconds(5), transcript: Transcript? = nil,
        reconnects: Bool = true, hidesMemory: Bool = false
    ) async throws(AutofillError) -> AutofillSession {
        let dialler = Dialler(
            bundleID: bundleID, socket: socket, patience: patience, transcript: transcript, hidesMemory: hidesMemory)
        return AutofillSession(try await Link.open(dialler, reconnects: reconnects))
    }

    /// Performs any call of the protocol. It is sent again, once, if the connection was lost or the service stops, and the call
    /// is repeatable.
    ///
    /// - Parameter interaction: has the window that a prompt belongs to.
    package func perform<Call: MethodCall>(
        _ call: Call, _ interaction: UserInteraction = .allowed
    ) async throws(AutofillError) -> Call.Answer {
        let connection = try await link.connection()
        do throws(AutofillError) {
            return try await connection.perform(call, in: interaction.context)
        } catch {
            if error.isRefused(for: .stopping) {
                await link.retire(connection)
            } else if error != .connectionLost {
                throw error
            }
            guard link.reconnects, call.isRepeatable else { throw error }
            return try await link.connection().perform(call, in: interaction.context)
        }
    }

    /// Subscribes to events on the current connection.
    func subscribe() async throws(AutofillError) -> (answer: EventSubscribe.Answer, stream: EventStream) {
        try await link.connection().subscribe()
    }

    /// Whether the session connects again after a lost connection.
    var reconnects: Bool { link.reconnects }

    /// Returns the answer of a call; nil if it is refused for this reason.
    func found<Call: MethodCall>(
        _ call: Call, _ interaction: UserInteraction, orRefusedFor code: AutofillReason.Code
    ) async throws(AutofillError) -> Call.Answer? {
        do throws(AutofillError) {
            return try await perform(call, interaction)
        } catch {
            guard error.isRefused(for: code) else { throw error }
            return nil
        }
    }

    /// Returns all pages of a list.
    func all<Call: MethodCall, Report, Element>(
        _ call: (PageRequest) -> Call, _ read: (Call.Answer) -> (elements: [Report], next: String?),
        _ make: (Report) throws(AutofillError) -> Element, _ interaction: UserInteraction = .allowed
    ) async throws(AutofillError) -> [Element] {
        let reports = try await PageRequest.all { page async throws(AutofillError) in
            read(try await perform(call(page), interaction))
        }
        return try reports.map(make)
    }
}
