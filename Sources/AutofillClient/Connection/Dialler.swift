// SPDX-License-Identifier: Apache-2.0
import AutofillProtocol

/// Makes connections to the service: where it listens, and as which app hello is said.
struct Dialler: Sendable {
    let bundleID: String
    let socket: ServiceSocket
    /// How long connecting may take, and then the answer to hello.
    let patience: Duration
    let transcript: Transcript?

    /// Connects and says hello.
    func connect() async throws(AutofillError) -> (Connection, Greeting) {
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
