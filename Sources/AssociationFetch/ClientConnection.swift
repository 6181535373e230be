// SPDX-License-Identifier: Apache-2.0
package import AutofillProtocol

/// What a connection does: one line is read, its query is asked, its answer is sent, and then comes the next line. It knows
/// no socket; its owner does what it says.
package struct ClientConnection: Sendable {
    package enum State: Hashable, Sendable {
        /// Wants bytes.
        case reading
        /// Waits for a report. What has come meanwhile stays in the socket.
        case asking
        /// Has bytes to send.
        case answering
        /// Is to be closed.
        case closed
    }

    package private(set) var state = State.reading
    private var framing = LineFraming(maximumLength: AssociationQuery.lineBytes)
    /// What was read, and not used yet.
    private var unread: [UInt8] = []
    /// What is still to be sent.
    package private(set) var answer: ArraySlice<UInt8> = []

    package init() {}

    /// Takes bytes in the state `reading`; gives the query of a line that is whole.
    package mutating func take(_ bytes: some Sequence<UInt8>) -> AssociationQuery? {
        unread += bytes
        return next()
    }

    /// The other end sends no more.
    package mutating func takeEnd() { state = .closed }

    /// Takes the report that was asked for.
    package mutating func take(_ report: AssociationReport) {
        (answer, state) = (report.line[...], .answering)
    }

    /// That many bytes of the answer were sent. After the last, the query of the next line, where there is one.
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
                take(Self.unreadable)
                return nil
            }
            state = .asking
            return query
        // Who sends that is not the daemon.
        case .tooLong, .skip:
            state = .closed
            return nil
        }
    }

    private static let unreadable = AssociationReport(
        AssociationQuery(domain: "invalid", mode: .standard),
        failure: FetchFailure(.nameNotAllowed, "The query cannot be read"))
}
