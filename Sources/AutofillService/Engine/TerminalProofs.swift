// SPDX-License-Identifier: Apache-2.0
internal import AutofillProtocol
package import PeerIdentity

/// Passphrases that the user has typed at a terminal, and that stay valid at that terminal for a time, as with sudo. In memory
/// only, and no longer than the vault is open.
package final class TerminalProofs {
    /// Where proof was given: this session at this terminal, to this program.
    struct Terminal: Hashable {
        let session: TerminalSession
        let program: ContentVersion

        init(session: TerminalSession, program: ContentVersion) {
            self.session = session
            self.program = program
        }

        /// The terminal of a peer now, as the kernel reports it; nil where it has no terminal, where its program runs what
        /// it is handed, and where a program of the user's serves its file: all of these could be anybody.
        init?(_ peer: Peer) {
            guard case .file(let file) = peer.evidence.executable, file.interpreter == nil, !file.isAppImage,
                file.location == .rootOwned || file.location == .userOwned, !peer.evidence.isHandedOver,
                let session = peer.terminal()
            else { return nil }
            self.init(session: session, program: file.version)
        }
    }

    /// When each was last used, in milliseconds of the steady clock.
    private var lastUses: [Terminal: Int64] = [:]

    /// The passphrase was given there.
    func hold(_ terminal: Terminal, at now: Int64) {
        if lastUses.count >= Limits.terminalProofs, let oldest = lastUses.min(by: { $0.value < $1.value })?.key {
            lastUses[oldest] = nil
        }
        lastUses[terminal] = now
    }

    /// For how many seconds it still holds at a peer's terminal; nil where none does.
    ///
    /// - Parameter minutes: how long after its last use it ends.
    func secondsLeft(for peer: Peer, minutes: Int, at now: Int64) -> Int? {
        held(for: peer, minutes: minutes, at: now).map { _, left in Int((left + 999) / 1000) }
    }

    /// Uses it as proof of a request.
    ///
    /// - Returns: whether one holds.
    func use(by peer: Peer, minutes: Int, at now: Int64) -> Bool {
        guard let (terminal, _) = held(for: peer, minutes: minutes, at: now) else { return false }
        lastUses[terminal] = now
        return true
    }

    private func held(for peer: Peer, minutes: Int, at now: Int64) -> (Terminal, left: Int64)? {
        // Most peers need no inspection at all.
        guard minutes > 0, !lastUses.isEmpty, let terminal = Terminal(peer), let lastUse = lastUses[terminal] else {
            return nil
        }
        let left = lastUse + Int64(minutes) * 60_000 - now
        guard left > 0 else {
            lastUses[terminal] = nil
            return nil
        }
        return (terminal, left)
    }

    /// Ends what holds in a session, for any program.
    ///
    /// - Returns: whether any did.
    package func end(in session: TerminalSession) -> Bool {
        let terminals = lastUses.keys.filter { $0.session == session }
        for terminal in terminals { lastUses[terminal] = nil }
        return !terminals.isEmpty
    }

    /// Ends all: the vault was locked, or other secrets open it.
    package func endAll() { lastUses = [:] }
}
