// SPDX-License-Identifier: Apache-2.0
import AutofillProtocol
import DaemonSocket
import SecretMemory

/// Makes connections to the service, and sends `hello` on them.
struct Dialler: Sendable {
    let bundleID: String
    let socket: ServiceSocket
    /// The timeout of connecting, and then of the answer to `hello`.
    let patience: Duration
    let transcript: Transcript?
    /// Whether a process that is not dumpable becomes dumpable during `hello`, while the service inspects it.
    var hidesMemory = false

    /// Connects and sends `hello`.
    func connect() async throws(AutofillError) -> (Connection, Greeting) {
        let isHidden = hidesMemory && !ProcessSecrecy.allowsInspection
        if isHidden { ProcessSecrecy.allowInspection() }
        defer { if isHidden { ProcessSecrecy.forbidInspection() } }
        let connection = try await Connection.open(socket, within: patience, transcript: transcript)
        do throws(AutofillError) {
            let answer = try await connection.perform(Hello(bundleID: bundleID), within: patience)
            return (connection, Greeting(answer))
        } catch {
            connection.close()
            // With socket activation the connection is made by systemd, and lost if the service cannot start.
            throw error == .connectionLost ? .unavailable(.notResponding) : error
        }
    }
}
