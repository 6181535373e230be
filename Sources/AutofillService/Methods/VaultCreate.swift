// SPDX-License-Identifier: Apache-2.0
internal import AutofillProtocol
internal import CredentialStorage
internal import Reasons

extension VaultCreate: ServedCall {
    func perform(_ request: RequestContext, _ modules: Modules) async throws(RefusedRequest) -> Answer {
        try await modules.decide(request) { () throws(RefusedRequest) in
            try request.requireOutsideSandbox()
            guard try modules.vault.any().state == .missing else { throw RefusedRequest(.vaultExists) }
        }
        let holds = modules.vault.lockState.holds
        let derived = try await modules.derive(secrets, request)
        return try await modules.decide(request) { () throws(RefusedRequest) in
            let open = try modules.vault.any()
            try attempting { () throws(VaultError) in try open.create(derived.slots, at: modules.clock.now) }
            modules.vault.noteUnlocked(causedBy: request)
            modules.vault.lockIfHeld(besides: holds)
            return Answer(slots: derived.slots.map { SlotReport($0.kind) }, recoveryKey: derived.recoveryKey)
        }
    }
}
