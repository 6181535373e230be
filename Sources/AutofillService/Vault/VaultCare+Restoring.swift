// SPDX-License-Identifier: Apache-2.0
internal import AutofillPolicy
package import AutofillProtocol
internal import CredentialStorage
internal import Credentials
internal import Reasons
package import VaultRecovery

/// Replacing the vault by a backup, or by what is left of a damaged file.
extension VaultCare {
    /// Replaces the vault by a backup. The vault is open afterwards, unless something keeps it locked.
    package func restore(
        from path: String, _ secret: Proof, _ request: RequestContext
    ) async throws(RefusedRequest) -> RestoreReport {
        let outcome = try await derive(request, refusing: \.refusalOfRestore) { lease throws(VaultError) in
            try BackupRestore(lease.vault).attempt(from: path, secret: secret.secret())
        }
        let report = try await work(request, refusing: \.refusalOfRestore) { () throws(Unsettled) in
            try leaseForRestore(request)
        } _: { lease throws(VaultError) in
            try BackupRestore(lease.vault).run(from: path, with: outcome, lease.progress)
        }
        noteReplaced(causedBy: request)
        return report
    }

    /// Makes a vault of what is left of a damaged file: a new file, or one that replaces the vault, as a restore does.
    package func salvage(
        from path: String, _ secret: Proof, to target: String?, _ request: RequestContext
    ) async throws(RefusedRequest) -> SalvageReport {
        let outcome = try await derive(request, refusing: \.refusalOfSalvage) { lease throws(VaultError) in
            try VaultSalvage(lease.vault).attempt(from: path, secret: secret.secret(), lease.progress)
        }
        let now = clock.now
        let report = try await work(request, refusing: { $0.refusalOfSalvage(to: target) }) { () throws(Unsettled) in
            try leaseForRestore(request)
        } _: { lease throws(VaultError) in
            try VaultSalvage(lease.vault).run(from: path, with: outcome, to: target, at: now, lease.progress)
        }
        if target == nil { noteReplaced(causedBy: request) }
        return report
    }

    /// Opens a file with a secret of its own.
    ///
    /// - Parameter prepare: finds the slots of the file that the secret may open.
    private func derive(
        _ request: RequestContext, refusing refusal: (VaultError) -> Refusal,
        _ prepare: @escaping @Sendable (VaultLease) throws(VaultError) -> UnlockAttempt
    ) async throws(RefusedRequest) -> UnlockOutcome {
        let attempt: UnlockAttempt = try await work(request, refusing: refusal) { () throws(Unsettled) in
            try leaseForRestore(request)
        } _: { lease throws(VaultError) in
            let attempt = try prepare(lease)
            if lease.progress.isCancelled { throw .cancelled }
            return attempt
        }
        return try await derivations.derive(request) { attempt.derive() }
    }

    private func noteReplaced(causedBy request: RequestContext) {
        if keeper.opened?.state == .unlocked { keeper.noteUnlocked(causedBy: request) }
        keeper.notify(.contentReplaced, causedBy: request)
        keeper.lockIfHeld()
    }

    /// There may be a vault by now that was not there when the request came: then replacing it needs proof.
    private func leaseForRestore(_ request: RequestContext) throws(Unsettled) -> VaultLease {
        guard request.isProven || keeper.fact.isAbsent else { throw Unsettled(.proofRequired) }
        return try keeper.leaseForRestore()
    }
}

extension AutofillFacts.VaultState {
    /// Whether there is no vault whose proof could be asked for.
    var isAbsent: Bool {
        switch self {
        case .missing, .unusable: true
        case .locked, .unlocked: false
        }
    }
}
