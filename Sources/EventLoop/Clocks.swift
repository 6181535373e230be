// SPDX-License-Identifier: Apache-2.0
internal import CAutofillLinux

/// A clock that timers can follow.
package enum TimerClock: Hashable, Sendable {
    /// CLOCK_MONOTONIC: stops while the machine sleeps. For back-offs and the deadlines of requests.
    case monotonic
    /// CLOCK_BOOTTIME: continues while the machine sleeps. For locking, proofs and timed consent.
    case boottime
}

/// The clocks of a loop and of its users.
package struct Clocks: Sendable {
    /// Milliseconds since 1970: for times that users read, never for a duration.
    package let wall: @Sendable () -> Int64
    package let monotonic: @Sendable () -> Instant
    package let boottime: @Sendable () -> Instant
    /// Timers fire when these clocks are moved, and not by the kernel's clocks.
    let isManual: Bool

    package static let system = Clocks(
        wall: { af_clock_wall() / 1_000_000 },
        monotonic: { Instant(nanoseconds: af_clock_monotonic()) },
        boottime: { Instant(nanoseconds: af_clock_boottime()) },
        isManual: false)

    package func now(_ clock: TimerClock) -> Instant {
        switch clock {
        case .monotonic: monotonic()
        case .boottime: boottime()
        }
    }
}
