// SPDX-License-Identifier: Apache-2.0

/// Fires once each time it is scheduled. A timer that is released does not fire.
package final class LoopTimer {
    /// How much later than scheduled it may fire, so that several use one wake-up.
    package let slack: Duration
    let handler: () -> Void
    var due: Instant?
    /// Its index in the queue's heap; -1: not scheduled.
    var index = -1
    private let loop: EventLoop
    private let clock: TimerClock

    /// - Parameter slack: none: within a microsecond.
    package init(
        on loop: EventLoop, clock: TimerClock = .monotonic, slack: Duration = .zero, handler: @escaping () -> Void
    ) {
        self.loop = loop
        self.clock = clock
        self.slack = slack
        self.handler = handler
    }

    deinit { cancel() }

    /// When it will fire; nil: it is not scheduled.
    package var deadline: Instant? { due }

    /// Replaces an earlier time. A time in the past fires in the next turn.
    package func schedule(at instant: Instant) {
        loop.checkMayChange()
        queue.schedule(self, at: instant)
    }

    package func schedule(after duration: Duration) { schedule(at: loop.clocks.now(clock) + duration) }

    package func cancel() {
        guard index >= 0 else { return }
        loop.checkMayChange()
        queue.remove(self)
    }

    private var queue: TimerQueue { loop.core.timers[clock] }
}
