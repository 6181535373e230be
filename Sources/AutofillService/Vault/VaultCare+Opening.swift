// SPDX-License-Identifier: Apache-2.0
package import AutofillProtocol
internal import CredentialStorage
internal import Credentials
internal import Reasons

/// Unlocking and locking on request.
extension VaultCare {
    package struct Unlocked {
        package let changed: Bool
        package let findings: Int
        /// Where the vault is kept as it was before it was brought to the present format.
        package var backup: String?
    }

    /// Opens the vault with a secret that is given, else by asking the user for the passphrase.
    package func unlock(_ secret: Proof?, _ request: RequestContext) async throws(RefusedRequest) -> Unlocked {
        guard let secret, secret.isSlow else { return try await attempt(secret, request) }
        return try await derivations.guessing(request, from: secret.origin(of: request)) {
            () async throws(RefusedRequest) in
            try await attempt(secret, request)
        }
    }

    private func attempt(_ secret: Proof?, _ request: RequestContext) async throws(RefusedRequest) -> Unlocked {
        var hasWaited = false
        let attempt = try await decider.settle(request) { view throws(Unsettled) -> UnlockAttempt? in
            switch try keeper.any().state {
            case .missing: throw Unsettled(.vaultMissing)
            case .unlocked: return nil
            case .locked: break
            }
            guard let secret else {
                hasWaited = true
                throw unlocker.awaitingUnlock(view, view.interaction)
            }
            try view.requireOutsideSandbox()
            let open = try keeper.any()
            return try attempting { () throws(VaultError) in
                try open.slots.attempt(secret.secret(), slot: nil, from: secret.origin(of: request), at: clock.steady)
            }
        }
        // It waited for the vault to be opened, by anybody, and has nothing left to do.
        guard let attempt, let secret else { return Unlocked(changed: hasWaited, findings: keeper.findingCount) }
        let holds = keeper.lockState.holds
        let outcome = secret.isSlow ? try await derivations.derive(request) { attempt.derive() } : attempt.derive()
        var work: VaultLease?
        var unlocked = try await decider.settle(request) { _ throws(Unsettled) in
            _ = try keeper.any()
            let findings = try attempting { () throws(VaultError) in
                try keeper.unlock(with: outcome, givenUnder: holds, causedBy: request)
            }
            guard let findings else { return Unlocked(changed: false, findings: keeper.findingCount) }
            proofs.holdAtTerminal(secret, request)
            work = keeper.lease
            return Unlocked(changed: true, findings: findings)
        }
        if work != nil { request.answersLater() }
        unlocked.backup = await keeper.awaitMigration(work)
        return unlocked
    }

    /// Locks the vault; work on the whole vault is cancelled first, and undone, and so is what had waited for its end and begins
    /// before the lock.
    ///
    /// - Returns: whether it was open.
    package func lock(_ request: RequestContext) async throws(RefusedRequest) -> Bool {
        let changed = try await decider.settle(request) { view throws(Unsettled) in
            try view.requireOutsideSandbox()
            if keeper.lease != nil {
                keeper.stopWork()
                throw .waits(for: .vaultWork)
            }
            _ = try keeper.any()
            return keeper.lock(.request, causedBy: request)
        }
        if keeper.lockState.pending != nil { request.answersLater() }
        await keeper.awaitLocked()
        return changed
    }
}
