// SPDX-License-Identifier: Apache-2.0
package import Credentials
package import EventLoop

/// The time, in its two meanings.
package struct ServiceClock {
    private let clocks: Clocks
    /// What both clocks showed when the service started, in milliseconds.
    private let start: (wall: Int64, uptime: Int64)

    package init(_ clocks: Clocks) {
        self.clocks = clocks
        start = (clocks.wall(), Self.uptime(clocks))
    }

    /// Times that users read, and those of one-time codes: the wall clock, which may be set forward and back.
    package var now: Timestamp { Timestamp(milliseconds: clocks.wall()) }

    /// What time spans are measured by, sleep included (CLOCK_BOOTTIME): it begins as the wall clock and is never set, so that
    /// an instant that outlives the process can be kept by it.
    package var steady: Timestamp { Timestamp(milliseconds: start.wall + Self.uptime(clocks) - start.uptime) }

    private static func uptime(_ clocks: Clocks) -> Int64 { clocks.boottime().nanoseconds / 1_000_000 }
}
