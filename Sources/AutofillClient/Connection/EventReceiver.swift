// SPDX-License-Identifier: Apache-2.0
import AutofillProtocol
import Synchronization

/// What one reader reads: the stream has one element for each event that the receiver then returns.
typealias EventStream = (arrivals: AsyncStream<Void>, receiver: EventReceiver)

/// The events that one reader has not read yet. Where too many wait, later ones are dropped; after those that wait the reader
/// gets the number of the dropped ones, whether or not another event arrives.
final class EventReceiver: Sendable {
    private struct State {
        var waiting: [AutofillEvent] = []
        /// The number of events dropped after the last one that waits, and the last of them.
        var lost: (count: Int, last: AutofillEvent)?

        mutating func reportLost() {
            guard let lost else { return }
            waiting.append(AutofillEvent(.eventsLost(lost.count), at: lost.last.at, isOwn: false))
            self.lost = nil
        }
    }

    private let state = Mutex(State())
    let arrivals: AsyncStream<Void>.Continuation

    private init(_ arrivals: AsyncStream<Void>.Continuation) { self.arrivals = arrivals }

    /// Returns a receiver with the stream for its reader.
    static func stream() -> EventStream {
        let (stream, continuation) = AsyncStream.makeStream(of: Void.self)
        return (stream, EventReceiver(continuation))
    }

    func receive(_ event: AutofillEvent) {
        state.withLock { state in
            if state.waiting.count < Limits.waitingEvents {
                // Its own arrival was reported when the first one was dropped.
                state.reportLost()
                state.waiting.append(event)
                arrivals.yield()
            } else {
                if state.lost == nil { arrivals.yield() }
                state.lost = ((state.lost?.count ?? 0) + event.count, event)
            }
        }
    }

    /// The next event, once for each element of the stream.
    func next() -> AutofillEvent? {
        state.withLock { state in
            if state.waiting.isEmpty { state.reportLost() }
            return state.waiting.isEmpty ? nil : state.waiting.removeFirst()
        }
    }
}

extension AutofillEvent {
    /// The number of events that are lost with this one.
    fileprivate var count: Int { if case .eventsLost(let count) = kind { count } else { 1 } }
}

/// The readers of the events of a connection.
struct EventReceivers {
    private var receivers: [Int: EventReceiver] = [:]
    private var last = 0

    /// - Returns: its number, for `remove`.
    mutating func add(_ receiver: EventReceiver) -> Int {
        last += 1
        receivers[last] = receiver
        return last
    }

    mutating func remove(_ number: Int) { receivers[number] = nil }

    func receive(_ event: AutofillEvent) {
        for receiver in receivers.values { receiver.receive(event) }
    }

    var continuations: [AsyncStream<Void>.Continuation] { receivers.values.map(\.arrivals) }
}
