// SPDX-License-Identifier: Apache-2.0
internal import AutofillProtocol

/// The events of one connection that have not left yet. It holds so many; of those past it only the numbers are kept, so
/// that a client that does not read costs little and learns what it missed.
struct EventQueue {
    /// Of the last event, sent, waiting or lost.
    private(set) var sequence = 0
    private var waiting: [EventNotice] = []
    private var lost: (from: Int, to: Int, at: String)?
    /// Whether the client does not take what it is sent.
    var isBlocked = false

    /// - Parameter make: makes the event of this number.
    mutating func append(at time: String, _ make: (_ sequence: Int) -> EventNotice) {
        sequence += 1
        if lost != nil || waiting.count >= Limits.waitingEvents {
            lost = (lost?.from ?? sequence, sequence, time)
        } else {
            waiting.append(make(sequence))
        }
    }

    /// Takes out what waits, in order, and at the end what was lost.
    ///
    /// - Parameter isDue: whether an event may leave; where it may not, those behind it stay, too.
    mutating func take(epoch: String, while isDue: (EventNotice) -> Bool) -> [EventNotice] {
        var notices: [EventNotice] = []
        if let first = waiting.firstIndex(where: { !isDue($0) }) {
            notices += waiting[..<first]
            waiting.removeFirst(first)
            return notices
        }
        swap(&notices, &waiting)
        if let lost {
            notices.append(
                EventNotice(
                    .eventsLost(from: lost.from, to: lost.to), epoch: epoch, sequence: lost.to, at: lost.at,
                    causedBy: nil))
        }
        lost = nil
        return notices
    }

    var isEmpty: Bool { waiting.isEmpty && lost == nil }
}
