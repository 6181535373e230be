// SPDX-License-Identifier: Apache-2.0
package import AutofillProtocol

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
/// The connection closes with the last reference.
public final class AutofillSession: Sendable {
    /// What the service found out about the app, and its state, when the session began.
    public let greeting: Greeting
    private let connection: Connection

    init(greeting: Greeting, connection: Connection) {
        self.greeting = greeting
        self.connection = connection
    }

    deinit { connection.close() }

    /// Begins a session as the app of this bundle ID. Where the service is not there this fails at once.
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
        bundleID: String, to socket: ServiceSocket, patience: Duration = .seconds(5), transcript: Transcript? = nil
    ) async throws(AutofillError) -> AutofillSession {
        let connection = try await Connection.open(socket, within: patience, transcript: transcript)
        do throws(AutofillError) {
            let answer = try await connection.perform(Hello(bundleID: bundleID), within: patience)
            return AutofillSession(greeting: Greeting(answer), connection: connection)
        } catch {
            connection.close()
            // With socket activation the connection is made by systemd, and lost where the service cannot start.
            throw error == .connectionLost ? .unavailable(.notResponding) : error
        }
    }

    /// The events of this session, from now on; the sequence of an earlier call ends.
    func receiveEvents() -> AsyncStream<AutofillEvent> { connection.receiveEvents() }

    /// Any call of the protocol.
    package func perform<Call: MethodCall>(_ call: Call) async throws(AutofillError) -> Call.Answer {
        try await connection.perform(call)
    }
}
