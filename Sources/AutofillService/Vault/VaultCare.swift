// SPDX-License-Identifier: Apache-2.0
internal import AutofillPolicy
package import AutofillProtocol
package import CredentialStorage
package import Credentials
internal import EventLoop
internal import Reasons
package import VaultRecovery

/// Check, repair, backup, restore and rekey: work on the whole vault, with what follows from it.
package final class VaultCare {
    let keeper: VaultKeeper
    let decider: RequestDecider
    let derivations: KeyDerivations
    let proofs: RequestProofs
    let computations: RequestComputations
    let unlocker: VaultUnlocker

    init(
        _ keeper: VaultKeeper, _ decider: RequestDecider, _ derivations: KeyDerivations,
        _ computations: RequestComputations, _ proofs: RequestProofs, _ unlocker: VaultUnlocker
    ) {
        self.keeper = keeper
        self.decider = decider
        self.derivations = derivations
        self.proofs = proofs
        self.computations = computations
        self.unlocker = unlocker
    }

    var clock: ServiceClock { keeper.clock }

    package func derive(
        _ secrets: [NewSecret], _ request: RequestContext
    ) async throws(RefusedRequest) -> DerivedSlots { try await computations.deriveSlots(from: secrets, request) }

    package func check(_ request: RequestContext) async throws(RefusedRequest) -> CheckReport {
        let report = try await inspect(request) { view, progress throws(VaultError) in try view.check(progress) }
        keeper.note(report.findings)
        return report
    }

    package func repair(
        takesOlder: Bool, _ request: RequestContext
    ) async throws(RefusedRequest) -> RepairReport {
        let repair = try await work(request) { () throws(Unsettled) in
            _ = try keeper.unlocked()
            return try keeper.leaseWhole(for: .vaultCheck)
        } _: { lease throws(VaultError) in
            try VaultRepair(of: lease.vault, lease.progress).run(takesOlder: takesOlder)
        }
        if repair.after.isIntact { keeper.note([]) }
        keeper.migrateIfOlder()
        if repair.quarantined > 0 { keeper.notify(.contentReplaced, causedBy: request) }
        return repair
    }

    package func backUp(
        to path: String, _ request: RequestContext
    ) async throws(RefusedRequest) -> BackupReport {
        let report = try await inspect(request, refusing: \.refusalOfBackup) {
            view, progress throws(VaultError) in
            try view.copy(to: path, progress)
        }
        keeper.note(report.findings)
        // The file is complete and present, whatever the present state of the vault is.
        keeper.logging("a backup could not be put on record") { () throws(VaultError) in
            try keeper.opened?.backups.note(path, at: clock.now)
        }
        return report
    }

    /// Seals the vault under a new key with these slots alone.
    ///
    /// - Returns: the backups that former secrets still open, for `backups`.
    package func rekey(
        _ slots: [NewSlot], _ request: RequestContext
    ) async throws(RefusedRequest) -> FormerBackups {
        let now = clock.now
        defer { keeper.notify(.secretsChanged, causedBy: request) }
        return try await work(request, refusing: \.refusalOfRekey) { () throws(Unsettled) in
            _ = try keeper.unlocked()
            return try keeper.leaseWhole(for: .vaultRekey)
        } _: { lease throws(VaultError) in
            try lease.vault.rekey(slots, at: now, lease.progress)
        }
    }

    /// The backups that the vault knows of. A path may be on a slow disk.
    package func backups(_ request: RequestContext) async throws(RefusedRequest) -> [RecordedBackup] {
        try await workUnlocked(request) { vault throws(VaultError) in try vault.backups.list() }
    }

    /// What is in quarantine, after one of it was restored. That is the last that can fail: what was restored is announced.
    ///
    /// - Parameter number: of the one; nil restores none.
    package func quarantined(
        restoring number: Int64?, _ request: RequestContext
    ) async throws(RefusedRequest) -> (entries: [QuarantineEntry], changed: Bool) {
        try await workUnlocked(request, refusing: \.refusalOfTakingBack) { vault throws(VaultError) in
            let quarantine = Quarantine(of: vault), entries = try quarantine.list()
            guard let number, try quarantine.restore(number) != nil else { return (entries, false) }
            return (entries.filter { $0.number != number }, true)
        }
    }

    /// Which backups former secrets still open, the vault being back. Those elsewhere than beside it are read for a bounded time, together:
    /// their file system may be slow, or not answer, and then those after it are not read. What was done is answered whatever becomes of it: to be
    /// called in the turn in which it was done.
    package func backups(opened former: FormerBackups, _ request: RequestContext) async -> OpenedBackups {
        request.answersLater()
        var (opened, unchecked) = (former.opened, former.unread)
        let now = keeper.environment.loop.clocks.monotonic
        let end = now() + .milliseconds(Limits.fileLookMilliseconds)
        for path in former.elsewhere {
            let left = end - now()
            let opens =
                left > .zero
                ? try? await keeper.environment.pool.run(.files, about: "recorded backups", deadline: left) {
                    former.opens(path)
                } : nil
            switch opens {
            case true?: opened.append(path)
            case false?: break
            case nil: unchecked.append(path)
            }
        }
        return OpenedBackups(paths: opened.sorted(), unchecked: unchecked.sorted())
    }

    /// Work on the unlocked vault, with progress, from which nothing follows.
    func workInSteps<Result: Sendable>(
        _ request: RequestContext, refusing refusal: (VaultError) -> Refusal = \.refusal,
        _ body: @escaping @Sendable (Vault, VaultProgress) throws(VaultError) -> Result
    ) async throws(RefusedRequest) -> Result {
        let method = request.method
        return try await work(request, refusing: refusal) { () throws(Unsettled) in
            _ = try keeper.unlocked()
            return try keeper.leaseWhole(for: method)
        } _: { lease throws(VaultError) in
            try body(lease.vault, lease.progress)
        }
    }

    /// The same for work without progress.
    func workUnlocked<Result: Sendable>(
        _ request: RequestContext, refusing refusal: (VaultError) -> Refusal = \.refusal,
        _ body: @escaping @Sendable (Vault) throws(VaultError) -> Result
    ) async throws(RefusedRequest) -> Result {
        try await workInSteps(request, refusing: refusal) { vault, _ throws(VaultError) in try body(vault) }
    }

    // MARK: - Work on another thread

    /// Waits until the vault can be leased, runs the work, and ends the lease.
    ///
    /// - Parameters:
    ///   - begin: begins the lease. Judged again after each wait for it.
    ///   - refusal: how the errors of the work are refused.
    func work<Result: Sendable>(
        _ request: RequestContext, refusing refusal: (VaultError) -> Refusal = \.refusal,
        leasing begin: () throws(Unsettled) -> VaultLease,
        _ work: @escaping @Sendable (VaultLease) throws(VaultError) -> Result
    ) async throws(RefusedRequest) -> Result {
        try request.willWait()
        let lease = try await decider.settle(request) { _ throws(Unsettled) in try begin() }
        request.state.isWorkingOnVault = true
        defer { request.state.isWorkingOnVault = false }
        do throws(VaultError) {
            return try await keeper.run(lease, work)
        } catch {
            throw RefusedRequest([refusal(error)])
        }
    }

    /// Inspects the whole vault as it is now, while others use it.
    ///
    /// The log is written back on the other thread first, in a moment for which the vault is leased: freezing the vault with a
    /// full log would stop the event loop for some 20 ms.
    func inspect<Seen: Sendable>(
        _ request: RequestContext, refusing refusal: (VaultError) -> Refusal = \.refusal,
        _ inspect: @escaping @Sendable (any VaultView, VaultProgress) throws(VaultError) -> Seen
    ) async throws(RefusedRequest) -> Seen {
        let method = request.method
        try await work(request, refusing: refusal) { () throws(Unsettled) in
            _ = try keeper.unlocked()
            return try keeper.leaseWhole(for: method)
        } _: { lease throws(VaultError) in
            // Where that cannot be, the vault is leased whole for the inspection.
            try? lease.vault.emptyLog()
            if lease.progress.isCancelled { throw .cancelled }
        }
        return try await work(request, refusing: refusal) { () throws(Unsettled) in
            _ = try keeper.unlocked()
            return try keeper.leaseFrozen(for: method)
        } _: { lease throws(VaultError) in
            try inspect(lease.view, lease.progress)
        }
    }
}

/// The backups that former secrets still open.
package struct OpenedBackups {
    package let paths: [String]
    /// The paths of those that could not be read, or not in time.
    package let unchecked: [String]
}

extension VaultError {
    /// A corrupt vault is repaired before it is sealed again.
    fileprivate var refusalOfRekey: Refusal {
        if case .damaged = self { Refusal(.vaultCorrupt) } else { refusal }
    }
}
