// SPDX-License-Identifier: Apache-2.0
internal import AutofillProtocol

extension VaultLock: ServedCall {
    func perform(_ request: RequestContext, _ modules: Modules) async throws(RefusedRequest) -> Changed {
        try request.session.confirmPeer()
        try request.requireOutsideSandbox()
        // Work on the whole vault ends first, undone.
        modules.vault.stopWork()
        let changed = try await modules.decide(request) { () throws(RefusedRequest) in
            if modules.vault.lease != nil { throw .waits(on: .vaultWork) }
            _ = try modules.vault.any()
            return Changed(modules.vault.lock(.request, causedBy: request))
        }
        await modules.vault.awaitLocked()
        return changed
    }
}
