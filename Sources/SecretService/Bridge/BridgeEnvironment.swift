// SPDX-License-Identifier: Apache-2.0
package import DaemonSocket
package import EventLoop
package import Systemd

/// What the bridge runs with.
package struct BridgeEnvironment {
    let loop: EventLoop
    let bus: Bus
    let connections: BusConnections
    /// The daemon's socket.
    let daemon: ServiceSocket
    let journal: BridgeJournal
    /// The user whose programs are served.
    let user: UInt32
    /// How long a call waits for the user, in milliseconds.
    let hold: Int

    package init(
        loop: EventLoop, bus: Bus, daemon: ServiceSocket, journal: BridgeJournal, user: UInt32,
        hold: Int = BridgeLimits.holdMilliseconds
    ) {
        (self.loop, self.bus, self.daemon, self.journal, self.user) = (loop, bus, daemon, journal, user)
        self.hold = hold
        connections = BusConnections(bus, on: loop)
    }

    /// Until when a call waits for the user.
    var callDeadline: Instant { loop.clocks.monotonic() + .milliseconds(hold) }

    /// Seconds since 1970.
    var seconds: UInt64 { UInt64(max(0, loop.clocks.wall() / 1000)) }
}
