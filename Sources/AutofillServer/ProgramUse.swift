// SPDX-License-Identifier: Apache-2.0
internal import AutofillProtocol
internal import EventLoop

/// What one program uses of the loop's time: all its connections together.
final class ProgramUse {
    /// How long its connections were answered in the last counted turn of the loop in which they were, and until when its next
    /// request is awaited.
    struct LastAnswers {
        var turn = -2
        var spent = Duration.zero
        var awaitedUntil: Instant?
    }

    /// How long it may still be answered while other programs are awaited. Below zero it rests.
    struct Credit {
        private(set) var left = FairQueue.burst
        private var asOf: Instant?

        /// Credit increases with time.
        mutating func refill(at now: Instant) {
            let since = now.nanoseconds - (asOf ?? now).nanoseconds
            left = min(FairQueue.burst, left + .nanoseconds(since / Int64(Limits.loopQuota)))
            asOf = now
        }

        mutating func spend(_ spent: Duration) { left = max(.zero - FairQueue.burst, left - spent) }
    }

    var connections = 0
    /// The connections that wait until other programs were answered.
    var waiting = Queue<Connection>()
    /// Whether none of its connections was answered yet.
    var isNew = true
    var last = LastAnswers()
    /// The virtual time of start-time fair queueing: how long it was answered. Time without requests does not
    /// accumulate.
    var served = Duration.zero
    var credit = Credit()

    /// Until when its next request is awaited after the last one; nil where a request waits, or no connection is open.
    var awaitedUntil: Instant? {
        connections > 0 && waiting.isEmpty ? last.awaitedUntil : nil
    }
}
