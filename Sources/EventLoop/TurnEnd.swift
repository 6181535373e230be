// SPDX-License-Identifier: Apache-2.0

/// When a turn ends, and its answers are sent, although more work is ready: after some dispatches, or some time.
struct TurnEnd {
    private static var dispatchLimit: Int { 16 }
    private static var timeLimit: Duration { .microseconds(250) }

    private var dispatches = 0
    /// Nil where no dispatch of this turn has left work.
    private var deadline: Instant?

    mutating func noteDispatch() { dispatches += 1 }

    mutating func comeSoon() { dispatches = Self.dispatchLimit }

    mutating func isDue(at now: Instant) -> Bool {
        guard dispatches < Self.dispatchLimit else { return true }
        guard let deadline else {
            deadline = now + Self.timeLimit
            return false
        }
        return now >= deadline
    }
}
