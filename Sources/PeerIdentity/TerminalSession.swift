// SPDX-License-Identifier: Apache-2.0

/// A terminal that a user works at: the session of processes at one terminal, as the kernel reports it. No process can
/// enter a session that it was not started in.
package struct TerminalSession: Hashable, Sendable {
    /// The process that leads it: the shell, mostly. The kernel assigns its number to no other process while the
    /// session lasts.
    package let leader: Int32
    /// When that started, in clock ticks after boot.
    package let leaderStartTime: UInt64
    /// The device number of the terminal.
    package let terminal: UInt32

    package init(leader: Int32, leaderStartTime: UInt64, terminal: UInt32) {
        self.leader = leader
        self.leaderStartTime = leaderStartTime
        self.terminal = terminal
    }
}
