// SPDX-License-Identifier: Apache-2.0
internal import AutofillProtocol
internal import CredentialStorage
internal import Reasons

/// Opens the vault with a secret that is given, else by asking the person for the passphrase.
extension VaultUnlock: ServedCall {
    func perform(_ request: RequestContext, _ modules: Modules) async throws(RefusedRequest) -> Answer {
        request.place.page = PageContext(parentWindow: parentWindow)
        guard let secret, secret.isSlow else { return try await unlock(request, modules) }
        return try await modules.derivations.inTurn(request, from: secret.place(of: request)) {
            () async throws(RefusedRequest) in
            try await unlock(request, modules)
        }
    }

    private func unlock(_ request: RequestContext, _ modules: Modules) async throws(RefusedRequest) -> Answer {
        var hasWaited = false
        let attempt = try await modules.decide(request) { () throws(RefusedRequest) -> UnlockAttempt? in
            let open = try modules.vault.any()
            switch open.state {
            case .missing: throw RefusedRequest(.vaultMissing)
            case .unlocked: return nil
            case .locked: break
            }
            guard let secret else {
                hasWaited = true
                throw modules.authoriser.awaitingUnlock(request, request.interaction)
            }
            try request.requireOutsideSandbox()
            return try attempting { () throws(VaultError) in
                try open.slots.attempt(
                    secret.secret(), slot: nil, from: secret.place(of: request), at: modules.clock.steady)
            }
        }
        // It waited for the vault to be opened, by whomever, and has nothing left to do.
        guard let attempt, let secret else { return Answer(changed: hasWaited, findings: modules.vault.findingCount) }
        let holds = modules.vault.lockState.holds
        let outcome =
            secret.isSlow ? try await modules.derivations.derive(request) { attempt.derive() } : attempt.derive()
        var work: VaultLease?
        let (changed, findings) = try await modules.decide(request) { () throws(RefusedRequest) in
            _ = try modules.vault.any()
            let findings = try attempting { () throws(VaultError) in
                try modules.vault.unlock(with: outcome, givenUnder: holds, causedBy: request)
            }
            if findings != nil { modules.holdAtTerminal(secret, request) }
            work = findings == nil ? nil : modules.vault.lease
            return (findings != nil, findings ?? modules.vault.findingCount)
        }
        let backup = await modules.vault.awaitMigration(work)
        return Answer(changed: changed, findings: findings, backup: backup)
    }
}
