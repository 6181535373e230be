// SPDX-License-Identifier: Apache-2.0
package import EventLoop

/// Retries after a pause that doubles each time, on CLOCK_MONOTONIC.
package final class Backoff {
    private let loop: EventLoop
    private let first: Duration
    private let longest: Duration
    private var pause: Duration
    private var timer: LoopTimer?

    package init(on loop: EventLoop, first: Duration, longest: Duration) {
        self.loop = loop
        self.first = first
        self.longest = longest
        pause = first
    }

    /// Schedules a retry. Replaces one that is scheduled.
    package func schedule(_ body: @escaping () -> Void) {
        timer = LoopTimer(on: loop, slack: .milliseconds(100), handler: body)
        timer?.schedule(after: pause)
        pause = min(pause * 2, longest)
    }

    /// To be called after a success: cancels the scheduled retry, and the next pause is the first one again.
    package func reset() {
        timer?.cancel()
        pause = first
    }
}
