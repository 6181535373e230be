// SPDX-License-Identifier: Apache-2.0
import AutofillProtocol

/// Passes events to one reader, and reports the number of those that were dropped because the queue was full.
struct EventReceiver {
    typealias Continuation = AsyncStream<AutofillEvent>.Continuation

    let continuation: Continuation
    /// The number of events dropped since the last one that was enqueued.
    private var dropped = 0

    init(_ continuation: Continuation) { self.continuation = continuation }

    /// Returns the stream for the reader, and its continuation.
    static func stream() -> (stream: AsyncStream<AutofillEvent>, continuation: Continuation) {
        AsyncStream.makeStream(of: AutofillEvent.self, bufferingPolicy: .bufferingOldest(Limits.waitingEvents))
    }

    mutating func receive(_ event: AutofillEvent) {
        if dropped > 0 {
            let notice = AutofillEvent(.eventsLost(dropped), at: event.at, isOwn: false)
            guard case .enqueued = continuation.yield(notice) else { return dropped += 1 }
            dropped = 0
        }
        if case .dropped = continuation.yield(event) { dropped += 1 }
    }
}

/// The readers of the events of a connection.
struct EventReceivers {
    private var receivers: [Int: EventReceiver] = [:]
    private var last = 0

    /// - Returns: its number, for `remove`.
    mutating func add(_ continuation: EventReceiver.Continuation) -> Int {
        last += 1
        receivers[last] = EventReceiver(continuation)
        return last
    }

    mutating func remove(_ number: Int) { receivers[number] = nil }

    mutating func receive(_ event: AutofillEvent) {
        for number in receivers.keys { receivers[number]?.receive(event) }
    }

    var continuations: [EventReceiver.Continuation] { receivers.values.map(\.continuation) }
}
