// SPDX-License-Identifier: Apache-2.0
import AutofillProtocol

/// Hands events on to whoever reads them; of those past what may wait it tells the number.
struct EventReceiver {
    private let continuation: AsyncStream<AutofillEvent>.Continuation
    /// How many were dropped since the last one that was taken.
    private var dropped = 0

    /// - Returns: the receiver, and what it hands on.
    static func make() -> (receiver: EventReceiver, stream: AsyncStream<AutofillEvent>) {
        let (stream, continuation) = AsyncStream.makeStream(
            of: AutofillEvent.self, bufferingPolicy: .bufferingOldest(Limits.waitingEvents))
        return (EventReceiver(continuation: continuation), stream)
    }

    mutating func receive(_ event: AutofillEvent) {
        if dropped > 0 {
            let notice = AutofillEvent(.eventsLost(dropped), at: event.at, isOwn: false)
            guard case .enqueued = continuation.yield(notice) else { return dropped += 1 }
            dropped = 0
        }
        if case .dropped = continuation.yield(event) { dropped += 1 }
    }

    func end() { continuation.finish() }
}
