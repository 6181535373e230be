// SPDX-License-Identifier: Apache-2.0
internal import AutofillPolicy
package import AutofillProtocol
internal import CredentialStorage
internal import Credentials
internal import Reasons
package import VaultRecovery

/// Replacing the vault by a backup, or by what is left of a damaged file.
extension VaultCare {
    /// The slow part of opening a backup with a secret of its own.
    private func restoreAttempt(
        from path: String, _ secret: Proof, _ request: RequestContext
    ) async throws(RefusedRequest) -> UnlockAttempt {
        try await work(request, refusing: \.refusalOfRestore) { () throws(Unsettled) in
            try leaseForRestore(request)
        } _: { lease throws(VaultError) in
            let attempt = try BackupRestore(lease.vault).attempt(from: path, secret: secret.secret())
            if lease.progress.isCancelled { throw .cancelled }
            return attempt
        }
    }

    /// Replaces the vault by a backup. The vault is open afterwards, unless something holds it shut.
    package func restore(
        from path: String, _ secret: Proof, _ request: RequestContext
    ) async throws(RefusedRequest) -> RestoreReport {
        let attempt = try await restoreAttempt(from: path, secret, request)
        let outcome = try await derivations.derive(request) { attempt.derive() }
        let now = clock.now
        let report = try await work(request, refusing: \.refusalOfRestore) { () throws(Unsettled) in
            try leaseForRestore(request)
        } _: { lease throws(VaultError) in
            try BackupRestore(lease.vault).run(from: path, with: outcome, at: now, lease.progress)
        }
        if keeper.opened?.state == .unlocked { keeper.noteUnlocked(causedBy: request) }
        keeper.notify(.contentReplaced, causedBy: request)
        keeper.lockIfHeld()
        return report
    }

    /// The slow part of opening a damaged file with a secret of its own.
    private func salvageAttempt(
        from path: String, _ secret: Proof, _ request: RequestContext
    ) async throws(RefusedRequest) -> UnlockAttempt {
        try await work(request, refusing: \.refusalOfSalvage) { () throws(Unsettled) in
            try leaseForRestore(request)
        } _: { lease throws(VaultError) in
            let attempt = try VaultSalvage(lease.vault).attempt(from: path, secret: secret.secret(), lease.progress)
            if lease.progress.isCancelled { throw .cancelled }
            return attempt
        }
    }

    /// Makes a vault of what is left of a damaged file: a new file, or one that replaces the vault, as a restore does.
    package func salvage(
        from path: String, _ secret: Proof, to target: String?, _ request: RequestContext
    ) async throws(RefusedRequest) -> SalvageReport {
        let attempt = try await salvageAttempt(from: path, secret, request)
        let outcome = try await derivations.derive(request) { attempt.derive() }
        let now = clock.now
        let report = try await work(request, refusing: { $0.refusalOfSalvage(to: target) }) { () throws(Unsettled) in
            try leaseForRestore(request)
        } _: { lease throws(VaultError) in
            try VaultSalvage(lease.vault).run(from: path, with: outcome, to: target, at: now, lease.progress)
        }
        guard target == nil else { return report }
        if keeper.opened?.state == .unlocked { keeper.noteUnlocked(causedBy: request) }
        keeper.notify(.contentReplaced, causedBy: request)
        keeper.lockIfHeld()
        return report
    }

    /// There may be a vault by now that was not there when the request came: then it is its owner who replaces it.
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
