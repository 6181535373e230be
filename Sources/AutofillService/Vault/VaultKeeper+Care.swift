// SPDX-License-Identifier: Apache-2.0
internal import AutofillPolicy
internal import AutofillProtocol
internal import CredentialStorage
internal import Reasons

/// Check, repair, backup, restore and rekey: work on the whole vault, with what follows from it.
extension VaultKeeper {
    func check(_ request: RequestContext, _ modules: Modules) async throws(RefusedRequest) -> CheckReport {
        let report = try await look(request, modules) { view, progress throws(VaultError) in try view.check(progress) }
        note(report.findings)
        return report
    }

    func repair(
        takesOlder: Bool, _ request: RequestContext, _ modules: Modules
    ) async throws(RefusedRequest) -> RepairReport {
        let repair = try await work(request, modules) { () throws(RefusedRequest) in
            _ = try unlocked()
            return try leaseWhole(for: .vaultCheck)
        } _: { lease throws(VaultError) in
            try VaultRepair(of: lease.vault, lease.progress).run(takesOlder: takesOlder)
        }
        if repair.after.isSound { note([]) }
        migrateIfOlder()
        if repair.quarantined > 0 { notices.events.announce(.allCredentialsChanged, causedBy: request) }
        return repair
    }

    func backUp(
        to path: String, _ request: RequestContext, _ modules: Modules
    ) async throws(RefusedRequest) -> BackupReport {
        let report = try await look(request, modules, refusing: \.refusalOfBackup) {
            view, progress throws(VaultError) in
            try view.copy(to: path, progress)
        }
        note(report.findings)
        // The file is whole and there, whatever the vault says by now.
        try? opened?.backups.note(path, at: clock.now)
        return report
    }

    /// The slow part of opening a backup with a secret of its own.
    func restoreAttempt(
        from path: String, _ secret: Proof, _ request: RequestContext, _ modules: Modules
    ) async throws(RefusedRequest) -> UnlockAttempt {
        try await work(request, modules, refusing: \.refusalOfRestore) { () throws(RefusedRequest) in
            try leaseForRestore(request)
        } _: { lease throws(VaultError) in
            let attempt = try BackupRestore(lease.vault).attempt(from: path, secret: secret.secret())
            if lease.progress.isCancelled { throw .cancelled }
            return attempt
        }
    }

    /// Puts a backup in the vault's place. The vault is open afterwards, unless something holds it shut.
    func restore(
        from path: String, with outcome: UnlockOutcome, _ request: RequestContext, _ modules: Modules
    ) async throws(RefusedRequest) -> RestoreReport {
        let now = clock.now
        let report = try await work(request, modules, refusing: \.refusalOfRestore) { () throws(RefusedRequest) in
            try leaseForRestore(request)
        } _: { lease throws(VaultError) in
            try BackupRestore(lease.vault).run(from: path, with: outcome, at: now, lease.progress)
        }
        if opened?.state == .unlocked { noteUnlocked(causedBy: request) }
        notices.events.announce(.allCredentialsChanged, causedBy: request)
        lockIfHeld()
        return report
    }

    /// The slow part of opening a damaged file with a secret of its own.
    func salvageAttempt(
        from path: String, _ secret: Proof, _ request: RequestContext, _ modules: Modules
    ) async throws(RefusedRequest) -> UnlockAttempt {
        try await work(request, modules, refusing: \.refusalOfSalvage) { () throws(RefusedRequest) in
            try leaseForRestore(request)
        } _: { lease throws(VaultError) in
            let attempt = try VaultSalvage(lease.vault).attempt(from: path, secret: secret.secret())
            if lease.progress.isCancelled { throw .cancelled }
            return attempt
        }
    }

    /// Makes a vault of what is left of a damaged file: a new file, or in the vault's place, as a restore does.
    func salvage(
        from path: String, with outcome: UnlockOutcome, to target: String?, _ request: RequestContext,
        _ modules: Modules
    ) async throws(RefusedRequest) -> SalvageReport {
        let now = clock.now
        let report = try await work(request, modules, refusing: \.refusalOfSalvage) { () throws(RefusedRequest) in
            try leaseForRestore(request)
        } _: { lease throws(VaultError) in
            try VaultSalvage(lease.vault).run(from: path, with: outcome, to: target, at: now, lease.progress)
        }
        guard target == nil else { return report }
        if opened?.state == .unlocked { noteUnlocked(causedBy: request) }
        notices.events.announce(.allCredentialsChanged, causedBy: request)
        lockIfHeld()
        return report
    }

    /// There may be a vault by now that was not there when the request came: then it is its owner who replaces it.
    private func leaseForRestore(_ request: RequestContext) throws(RefusedRequest) -> VaultLease {
        guard request.isProven || fact.isAbsent else { throw RefusedRequest(.proofRequired) }
        return try leaseForRestore()
    }

    /// Seals the vault under a new key with these slots alone; the backups that former secrets still open.
    func rekey(
        _ slots: [NewSlot], _ request: RequestContext, _ modules: Modules
    ) async throws(RefusedRequest) -> [String] {
        let now = clock.now
        defer { notices.terminals.endAll() }
        return try await work(request, modules, refusing: \.refusalOfRekey) { () throws(RefusedRequest) in
            _ = try unlocked()
            return try leaseWhole(for: .vaultRekey)
        } _: { lease throws(VaultError) in
            try lease.vault.rekey(slots, at: now, lease.progress)
        }
    }

    /// Work on the unlocked vault that nothing follows from.
    func workUnlocked<Result: Sendable>(
        _ request: RequestContext, _ modules: Modules, refusing refusal: (VaultError) -> Refusal = \.refusal,
        _ body: @escaping @Sendable (Vault) throws(VaultError) -> Result
    ) async throws(RefusedRequest) -> Result {
        let method = request.method
        return try await work(request, modules, refusing: refusal) { () throws(RefusedRequest) in
            _ = try unlocked()
            return try leaseWhole(for: method)
        } _: { lease throws(VaultError) in
            try body(lease.vault)
        }
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

extension VaultError {
    /// A vault that is not sound is mended before it is sealed anew.
    fileprivate var refusalOfRekey: Refusal {
        if case .damaged = self { Refusal(.vaultUnsound) } else { refusal }
    }
}
