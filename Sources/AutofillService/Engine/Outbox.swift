// SPDX-License-Identifier: Apache-2.0
internal import AutofillProtocol

/// What leaves at the end of the loop's turn: the answers of all connections in one memory, one connection's behind the other's.
struct Outbox: ~Copyable {
    private struct Segment {
        let session: SessionID
        /// Where its bytes end; they begin where those before end.
        let end: Int
    }

    private var writer = JSONWriter(capacity: 4096)
    private var segments: [Segment] = []

    /// Bytes that are written.
    var count: Int { writer.count }

    mutating func write(for session: SessionID, _ body: (inout JSONWriter) -> Void) {
        body(&writer)
        guard writer.count > (segments.last?.end ?? 0) else { return }
        if segments.last?.session == session { segments.removeLast() }
        segments.append(Segment(session: session, end: writer.count))
    }

    /// Passes each connection's bytes to `send`.
    func send(_ send: (SessionID, UnsafeRawBufferPointer) -> Void) {
        writer.withUnsafeBytes { bytes in
            var start = 0
            for segment in segments {
                send(segment.session, UnsafeRawBufferPointer(rebasing: bytes[start..<segment.end]))
                start = segment.end
            }
        }
    }

    /// Erases what has left.
    mutating func reset() {
        writer.reset()
        segments.removeAll(keepingCapacity: true)
    }
}
