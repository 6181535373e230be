// SPDX-License-Identifier: Apache-2.0
internal import AutofillProtocol
internal import Credentials
internal import PeerIdentity
internal import Reasons
internal import Settings

/// Proof that was given at a terminal, and holds there.
extension Modules {
    /// Checks that a passphrase was given at the terminal of the request's peer, and that it still holds there.
    func checkTerminal(_ request: RequestContext, _ row: MethodDeclaration) async throws(RefusedRequest) {
        if row.needsSecret { throw RefusedRequest(.proofRequired) }
        try await decide(request) { () throws(RefusedRequest) in
            try request.requireOutsideSandbox()
            _ = try vault.unlocked()
            try request.confirmPeer()
            let isHeld = terminals.use(
                by: request.session.peer, minutes: settings.effective.terminalProofMinutes,
                at: clock.steady.milliseconds)
            if !isHeld { throw RefusedRequest(.proofRequired) }
        }
    }

    /// Has a passphrase that was right hold at the terminal of the request's peer, where it has one.
    func holdAtTerminal(_ proof: Proof, _ request: RequestContext) {
        guard case .typedPassphrase = proof, settings.effective.terminalProofMinutes > 0,
            request.session.peer.evidence.isOutsideSandbox, let place = TerminalProofs.Place(request.session.peer)
        else { return }
        terminals.hold(place, at: clock.steady.milliseconds)
    }
}
