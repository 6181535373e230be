// SPDX-License-Identifier: Apache-2.0
internal import Synchronization

/// Clocks that advance only when they are set, for tests. The timers that are due fire in the loop's next turn.
package final class ManualClock: Sendable {
    private struct Times {
        var wall: Int64
        var monotonic = Instant(nanoseconds: 1_000_000_000)
        var boottime = Instant(nanoseconds: 1_000_000_000)
    }

    private let times: Mutex<Times>

    /// - Parameter wall: milliseconds since 1970.
    package init(wall: Int64 = 1_700_000_000_000) { times = Mutex(Times(wall: wall)) }

    /// All three clocks go on.
    package func advance(by duration: Duration) {
        times.withLock { times in
            times.wall += duration.nanoseconds / 1_000_000
            times.monotonic = times.monotonic + duration
            times.boottime = times.boottime + duration
        }
    }

    /// Simulates sleep: CLOCK_MONOTONIC does not advance.
    package func sleep(for duration: Duration) {
        times.withLock { times in
            times.wall += duration.nanoseconds / 1_000_000
            times.boottime = times.boottime + duration
        }
    }

    /// Milliseconds since 1970, set as by `date -s`: it moves no timer.
    package var wall: Int64 {
        get { times.withLock { $0.wall } }
        set { times.withLock { $0.wall = newValue } }
    }

    package var clocks: Clocks {
        Clocks(
            wall: { self.times.withLock { $0.wall } },
            monotonic: { self.times.withLock { $0.monotonic } },
            boottime: { self.times.withLock { $0.boottime } },
            isManual: true)
    }
}
