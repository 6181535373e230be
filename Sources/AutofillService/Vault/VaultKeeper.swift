// SPDX-License-Identifier: Apache-2.0
internal import AutofillPolicy
internal import AutofillProtocol
internal import CredentialStorage
internal import Credentials
internal import EventLoop
internal import Reasons
internal import Settings

/// Keeps the vault: which thread has it, whether it is open, and the results of work on it.
package final class VaultKeeper {
    private let source: VaultSource
    /// While another thread works on the vault.
    var lease: VaultLease? { work.lease }
    var work = Work()
    private let returned: WaitList<Void>
    var lockState: LockState
    private var found = VaultFaults()
    package var findingCount: Int { found.count }
    let environment: ServiceContext
    /// The file that opens the vault without the user, where there is one now.
    let keyFile: () -> String?
    weak var observer: (any VaultObserver)?

    /// What other threads do.
    struct Work {
        var lease: VaultLease?
        /// What is to be made durable next, and whether that is under way.
        var sync: BackgroundSync?
        var isSyncing = false
        /// Whether the end of the turn is to have a log written back of which a sync failed.
        var mustRescueLog = false
    }

    /// - Parameter keyFile: returns the file that opens the vault without the user; nil for none.
    init(_ source: VaultSource, _ environment: ServiceContext, keyFile: @escaping () -> String?) {
        self.source = source
        self.environment = environment
        self.keyFile = keyFile
        returned = WaitList(on: environment.loop)
        lockState = LockState(lastUse: environment.clock.steady.milliseconds)
    }

    var clock: ServiceClock { environment.clock }

    func notify(_ event: VaultEvent, causedBy request: RequestContext? = nil) {
        observer?.vault(event, causedBy: request)
    }

    /// The vault, when it could be opened and is here.
    var opened: Vault? { isAway ? nil : source.vault }

    /// The same, and also while work on it as it was frozen is asked to stop: requests wait for the end of that, but what
    /// they were given before has to go on record. Such work uses nothing but the frozen file.
    private var atHand: Vault? { lease.map { $0.frozen == nil } ?? false ? nil : source.vault }

    /// Whether another thread has it for itself.
    var isAway: Bool { lease?.keepsOthersOut ?? false }

    /// How often another file has replaced the vault.
    var replacements: Int { lease?.replacements ?? opened?.replacements ?? 0 }

    /// Whether a passphrase opens it. One that opens by a key alone is opened by anyone that has the key.
    var opensByPassphrase: Bool {
        guard let slots = try? opened?.slots.list() else { return false }
        return slots.contains { $0.kind == .passphrase }
    }

    /// Tries again after a failure, at most once a second.
    func retry() {
        guard lease == nil else { return }
        source.retry(at: clock.steady.milliseconds)
    }

    /// The vault, whatever its state; throws why it cannot be opened.
    func any() throws(Unsettled) -> Vault {
        if isAway { throw .waits(for: .vaultWork) }
        switch source.state {
        case .success(let vault): return vault
        case .failure(let error): throw Unsettled([error.refusal])
        }
    }

    /// The vault, unlocked.
    func unlocked() throws(Unsettled) -> Vault {
        let vault = try any()
        switch vault.state {
        case .unlocked: return vault
        case .locked: throw Unsettled(.vaultLocked)
        case .missing: throw Unsettled(.vaultMissing)
        }
    }

    /// What the policy reads.
    var fact: AutofillFacts.VaultState {
        switch source.state {
        case .failure(let error): .unusable(error.refusal.reason.rawValue)
        case .success(let vault):
            switch (isAway ? lease?.state : nil) ?? vault.state {
            case .unlocked: .unlocked
            case .locked: .locked
            case .missing: .missing
            }
        }
    }

    /// Its state on the wire: `missing`, `locked`, `unlocked`, or the code of the reason.
    package var stateCode: String {
        switch fact {
        case .unlocked: "unlocked"
        case .locked: "locked"
        case .missing: "missing"
        case .unusable(let code): code
        }
    }

    /// The file, for `status`.
    package var path: String? { source.path }

    /// The directory that it is in; nil for a vault in memory.
    var directory: String? { source.directory }

    /// Something was asked for that needs the vault.
    func noteUse() {
        lockState.lastUse = clock.steady.milliseconds
        lockState.isRested = false
    }

    // MARK: - Leases

    /// Begins a lease of the whole vault. Throws as `any` does, and waits for other work.
    func leaseWhole(for method: Method?) throws(Unsettled) -> VaultLease {
        begin(VaultLease(try atRest(), frozen: nil, for: method))
    }

    /// Begins a lease of the vault as it is now, to be read while it is used; of the whole vault where that is not possible.
    func leaseFrozen(for method: Method?) throws(Unsettled) -> VaultLease {
        let vault = try atRest()
        let frozen = try attempting { () throws(VaultError) in try vault.freeze() }
        guard let frozen else { return try leaseWhole(for: method) }
        return begin(VaultLease(vault, frozen: frozen, for: method))
    }

    /// The same as `leaseWhole` for a restore, which also replaces a vault that cannot be opened.
    func leaseForRestore() throws(Unsettled) -> VaultLease {
        guard lease == nil, case .failure = source.state else { return try leaseWhole(for: .vaultRestore) }
        let vault = try attempting { () throws(VaultError) in try source.openAside() }
        return begin(VaultLease(vault, frozen: nil, for: .vaultRestore))
    }

    private func atRest() throws(Unsettled) -> Vault {
        if lease != nil { throw .waits(for: .vaultWork) }
        return try any()
    }

    private func begin(_ lease: VaultLease) -> VaultLease {
        work.lease = lease
        return lease
    }

    /// The work is done: the vault is here again, and is locked where it was to be meanwhile. Requests that wait for it go on.
    func endLease() {
        guard let lease else { return }
        work.lease = nil
        if lease.frozen != nil { lease.vault.thaw() }
        source.adopt(lease.vault)
        source.retry(at: clock.steady.milliseconds, evenIfJustTried: true)
        environment.revision.advance()
        // Not after a rescue: while the disk fails it would never end.
        work.mustRescueLog = !lease.isRescue
        lockIfPending(after: lease)
        returned.resumeAll()
        environment.turn.arm()
    }

    /// Waits until no work on the vault is under way.
    func awaitReturn(within limit: Duration) async throws(WaitFailure) {
        guard lease != nil else { return }
        try await returned.value(until: environment.loop.clocks.monotonic() + limit)
    }

    /// Has the work on the vault stop: it is undone, and answers `cancelled`. Work that is past its last stop is done.
    func stopWork() { lease?.progress.cancel() }

    // MARK: - The record of releases

    var hasUnsyncedReleases: Bool {
        guard let vault = atHand, vault.state == .unlocked else { return false }
        return vault.releases.hasUnsynced || (work.sync != nil && !work.isSyncing)
    }

    /// Has the record of releases brought to the disk by another thread; called at least once a second while there is something to
    /// bring.
    func syncReleases() throws(VaultError) {
        guard hasUnsyncedReleases, let vault = atHand else { return }
        guard let sync = try vault.releases.store(at: clock.steady) else {
            // A durable commit has made it needless.
            if !work.isSyncing { work.sync = nil }
            return
        }
        work.sync = sync
        if !work.isSyncing { _ = environment.tasks.start { await self.syncInBackground() } }
    }

    private func syncInBackground() async {
        work.isSyncing = true
        attempts: while let sync = work.sync {
            work.sync = nil
            let outcome = try? await environment.pool.run(.sync, deadline: Self.longestWork) {
                Result { () throws(VaultError) in try sync.run() }
            }
            switch outcome {
            case .success: atHand?.releases.finish(sync)
            case .failure(let error):
                work.mustRescueLog = true
                note(error.refusal, of: "the record of releases could not be brought to the disk")
            // No thread was free: it is tried again within a second. Or the daemon ends.
            case nil:
                work.sync = work.sync ?? sync
                break attempts
            }
        }
        work.isSyncing = false
        environment.turn.arm()
    }

    // MARK: - What was found

    /// Stores the findings of the last check of the vault, and logs them.
    func note(_ findings: [VaultFinding]) {
        found.replace(with: findings)
        log(findings)
    }

    /// Adds the findings of reads since then, and logs those that are new.
    func noteFindingsOfReads() {
        let new = (opened?.takeFindingsOfReads() ?? []).filter { found.reported.insert($0).inserted }
        found.count += new.count
        log(new)
    }

    private func log(_ findings: [VaultFinding]) {
        for finding in findings.prefix(Limits.reportedFindings) {
            let concerned = finding.id.map { " \($0)" } ?? ""
            notify(
                .journal(
                    JournalEvent(
                        level: .error, message: "[AutoFill] Fault: the vault is corrupt: \(finding.code)\(concerned)",
                        refusal: Refusal(found.reason))))
        }
    }

    /// The same in a line for the status, and what others could have done to it; none while nothing is known to be wrong.
    package var problems: [String] {
        let exposed = opened?.writableByOthers.map(Self.exposure)
        guard findingCount > 0, case .unlocked = fact else { return exposed.map { [$0] } ?? [] }
        return ["The vault is corrupt (findings: \(findingCount)). \(Refusal(found.reason).fix)"]
            + (exposed.map { [$0] } ?? [])
    }

    private static func exposure(_ path: String) -> String {
        "Other users could write to \(path) until autofilld closed it to them. Check whether the vault is intact: "
            + "autofillctl vault check"
    }

    /// Reports in the journal what others could write to, once: at the start, and when the vault was opened or made.
    func noteExposure() {
        guard let path = opened?.writableByOthers, found.exposed != path else { return }
        found.exposed = path
        notify(.journal(JournalEvent(level: .warning, message: "[AutoFill] \(Self.exposure(path))")))
    }

    /// Closes the vault, for the end: what was released is on the disk before.
    func close() {
        try? syncReleases()
        opened?.close()
    }
}

/// What the last inspection of the vault has found, and reads since.
private struct VaultFaults {
    var count = 0
    /// Those that are in the journal.
    var reported: Set<VaultFinding> = []
    /// The reason that they are refused and reported with.
    var reason = Reason.vaultCorrupt

    /// What others could write to, once it is in the journal.
    var exposed: String?

    mutating func replace(with findings: [VaultFinding]) {
        count = findings.count
        reported = Set(findings)
        reason = findings.contains(where: \.isOfAge) ? .vaultOlder : .vaultCorrupt
    }
}
