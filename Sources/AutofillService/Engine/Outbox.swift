// SPDX-License-Identifier: Apache-2.0
package import AutofillProtocol

/// What leaves at the end of the loop's turn: the answers of all connections in one memory, one connection's behind the other's.
package struct Outbox: ~Copyable {
    package struct Segment {
        package let session: SessionID
        /// Where its bytes end; they begin where those before end.
        package let end: Int
    }

    private var writer = JSONWriter(capacity: 4096)
    package private(set) var segments: [Segment] = []

    package init() {}

    /// Bytes that are written.
    package var count: Int { writer.count }

    package mutating func write(for session: SessionID, _ body: (inout JSONWriter) -> Void) {
        body(&writer)
        guard writer.count > (segments.last?.end ?? 0) else { return }
        if segments.last?.session == session { segments.removeLast() }
        segments.append(Segment(session: session, end: writer.count))
    }

    package func withUnsafeBytes<Result>(_ body: (UnsafeRawBufferPointer) throws -> Result) rethrows -> Result {
        try writer.withUnsafeBytes(body)
    }

    /// Erases what has left.
    package mutating func reset() {
        writer.reset()
        segments.removeAll(keepingCapacity: true)
    }
}
