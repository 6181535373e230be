// SPDX-License-Identifier: Apache-2.0
import AutofillProtocol

/// Hands events on to one that reads them; of those past what may wait it tells the number.
struct EventReceiver {
    typealias Continuation = AsyncStream<AutofillEvent>.Continuation

    let continuation: Continuation
    /// How many were dropped since the last one that was taken.
    private var dropped = 0

    init(_ continuation: Continuation) { self.continuation = continuation }

    /// What is handed on, and where to.
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

/// All that read the events of a connection.
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
