// SPDX-License-Identifier: Apache-2.0
package import AutofillProtocol

/// What a connection does: one line is read, its query is performed, its answer is sent, and then the next line is
/// read. It has no socket; its owner performs what its state requires.
package struct ClientConnection: Sendable {
    package enum State: Hashable, Sendable {
        /// Needs bytes.
        case reading
        /// Waits for a report. Bytes that arrive meanwhile remain in the socket.
        case asking
        /// Has bytes to send.
        case answering
        /// Is to be closed.
        case closed
    }

    package private(set) var state = State.reading
    private var framing = LineFraming(maximumLength: AssociationQuery.lineBytes)
    /// The bytes that were read and not used yet.
    private var unread: [UInt8] = []
    /// The bytes that are still to be sent.
    package private(set) var answer: ArraySlice<UInt8> = []

    package init() {}

    /// Receives bytes in the state `reading`; returns the query of a whole line.
    package mutating func receive(_ bytes: some Sequence<UInt8>) -> AssociationQuery? {
        unread += bytes
        return next()
    }

    /// The other end sends no more.
    package mutating func receiveEnd() { state = .closed }

    /// Receives the report that it waits for.
    package mutating func receive(_ report: AssociationReport) {
        (answer, state) = (report.line[...], .answering)
    }

    /// Records how many bytes of the answer were sent. After the last, the query of the next line, where there is one.
    package mutating func sent(_ count: Int) -> AssociationQuery? {
        answer = answer.dropFirst(count)
        guard answer.isEmpty else { return nil }
        (answer, state) = ([], .reading)
        return next()
    }

    private mutating func next() -> AssociationQuery? {
        switch unread.withUnsafeBytes({ framing.next(in: $0) }) {
        case .needsMore: return nil
        case .line(let length):
            let line = unread[..<length]
            defer { unread.removeFirst(length + 1) }
            guard let query = try? AssociationQuery(line: line) else {
                receive(Self.unreadable)
                return nil
            }
            state = .asking
            return query
        // The sender is not the daemon.
        case .tooLong, .skip:
            state = .closed
            return nil
        }
    }

    private static let unreadable = AssociationReport(
        AssociationQuery(domain: "invalid", mode: .standard),
        failure: FetchFailure(.nameNotAllowed, "The query cannot be read"))
}
