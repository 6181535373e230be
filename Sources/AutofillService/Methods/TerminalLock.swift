// SPDX-License-Identifier: Apache-2.0
internal import AutofillProtocol

extension TerminalLock: DecidedCall {
    func decide(_ request: RequestContext, _ modules: Modules) throws(RefusedRequest) -> Changed {
        try request.requireOutsideSandbox()
        guard let session = request.session.peer.terminal() else { return Changed(false) }
        return Changed(modules.terminals.end(in: session))
    }
}
