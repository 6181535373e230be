// SPDX-License-Identifier: Apache-2.0
package import AutofillProtocol
package import EventLoop

/// Queries `autofill-associations` over its socket, one connection a query. The daemon has no other access to the
/// network.
package final class AssociationRequester {
    private let socket: String?
    private let loop: EventLoop

    /// - Parameter socket: nil where there is none: then every query is answered as unavailable.
    package init(socket: String?, on loop: EventLoop) {
        self.socket = socket
        self.loop = loop
    }

    /// The report; never waits longer than a request may wait for it. Called on an actor whose executor is the loop;
    /// cancelling the task ends the connection.
    package func report(on query: AssociationQuery) async -> AssociationReport {
        guard let socket else { return .unavailable(query, "this autofilld runs without autofill-associations") }
        guard let asked = await answer(to: query, at: socket), asked.domain.utf8.elementsEqual(query.domain.utf8),
            asked.mode == query.mode
        else {
            return .unavailable(query, "no answer on \(socket)")
        }
        return asked
    }

    private func answer(to query: AssociationQuery, at socket: String) async -> AssociationReport? {
        let deadline = loop.clocks.monotonic() + .milliseconds(Limits.associationWaitMilliseconds - 1000)
        do throws(QueryConnection.Failure) {
            let connection = try QueryConnection(to: socket, on: loop)
            try await connection.send(query.line, until: deadline)
            var answer = AssociationAnswer()
            while true {
                let bytes = try await connection.receive(until: deadline)
                do throws(ProtocolProblem) {
                    if let report = try answer.take(bytes) { return report }
                } catch {
                    return nil
                }
            }
        } catch {
            return nil
        }
    }
}
