// SPDX-License-Identifier: Apache-2.0
package import PeerIdentity

extension InspectedPeer {
    /// The terminal's session that the process is in now; nil where it is in none, has ended, or the leader of the
    /// session has ended or left the terminal. Reads two small files of `/proc`, which wait for no file system: it may
    /// be called on an event loop.
    package var terminalSession: TerminalSession? {
        guard let session = directory.content(of: "stat").flatMap({ ProcessStatus.session(in: $0) }),
            let leader = try? ProcessDirectory(process: session.leader), let status = leader.content(of: "stat"),
            let own = ProcessStatus.session(in: status), own == session,
            let startTime = ProcessStatus.startTime(in: status)
        else { return nil }
        return TerminalSession(
            leader: session.leader, leaderStartTime: startTime, terminal: session.terminal)
    }
}
