// SPDX-License-Identifier: Apache-2.0
import AutofillProtocol
import DaemonSocket
import SecretMemory

/// Makes connections to the service: where it listens, and as which app hello is said.
struct Dialler: Sendable {
    let bundleID: String
    let socket: ServiceSocket
    /// How long connecting may take, and then the answer to hello.
    let patience: Duration
    let transcript: Transcript?
    /// Whether a process that keeps others from reading its memory lets that be for the time of hello, in which the service looks
    /// at it.
    var hidesMemory = false

    /// Connects and says hello.
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
            // With socket activation the connection is made by systemd, and lost where the service cannot start.
            throw error == .connectionLost ? .unavailable(.notResponding) : error
        }
    }
}
