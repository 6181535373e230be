// SPDX-License-Identifier: Apache-2.0
internal import AutofillProtocol
internal import AutofillService
internal import PeerIdentity

extension TerminalLock: JudgedCall {
    typealias Area = SessionMethods

    /// nil where the peer has no terminal.
    func judge(_ views: SessionViews, _ request: RequestView) throws(Unsettled) -> TerminalSession? {
        try request.requireOutsideSandbox()
        return request.terminal
    }

    func act(on session: TerminalSession?, _ effects: SessionEffects) -> Changed {
        Changed(session.map { effects.terminals.end(in: $0) } ?? false)
    }
}
