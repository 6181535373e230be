// SPDX-License-Identifier: Apache-2.0
internal import AutofillProtocol
internal import CredentialStorage
internal import Credentials
internal import EventLoop
internal import Settings
internal import SyncFiles
internal import SyncMerge

/// Exchanges what is saved with the user's other machines: publishes what changed here, and merges what has arrived in the spool. It
/// works while the vault is unlocked. What fails is reported and tried again; no request fails by it.
package final class SyncExchange {
    let keeper: VaultKeeper
    /// nil for a vault in memory.
    let spool: SyncSpool?
    let events: EventHub
    /// What was found of copies that write under the id of a machine.
    var findings = SyncFindings()
    private let arrived: WaitList<Void>
    private var timer: LoopTimer?
    private var watch: InotifySource?
    private var work = Work()

    /// What it does.
    private struct Work {
        var isRunning = false
        /// Whether the vault was unlocked at the end of the last turn.
        var isOpen = false
        /// Whether the carrier was made to fetch since the vault was unlocked.
        var hasFetched = false
        /// Whether something has come up while it ran.
        var isDueAgain = false
        var joining: SyncJoining?
        /// That of the last connection that has invited a machine.
        weak var invitation: OpenInvitation?
        /// How many requests put something into the spool now.
        var beginnings = 0
        /// Whether what nothing waits for was removed from the spool.
        var isCleared = false
        var fault: SyncFault?
        /// How many files of others are malformed, and are not merged.
        var ignored = 0
        let arrivals = KeptArrivals()
        /// When this process has seen a report of the carrier, or began to watch for one.
        var reported = Instant(nanoseconds: 0)
    }

    /// How long after a failure it is tried again.
    private static let retryPause = Duration.seconds(60)
    /// How often it is done without a cause: a snapshot may be due.
    private static let longestPause = Duration.seconds(3600)

    init(_ keeper: VaultKeeper, _ events: EventHub, spool path: String?) {
        self.keeper = keeper
        self.events = events
        spool = path.map { SyncSpool(at: $0) }
        arrived = WaitList(on: keeper.environment.loop)
        work.reported = keeper.environment.loop.clocks.monotonic()
        timer = LoopTimer(on: keeper.environment.loop) { [unowned self] in start() }
    }

    /// What keeps files from being exchanged.
    var fault: SyncFault? { work.fault }

    /// How many files of others are there that were changed or are malformed.
    var ignored: Int { work.ignored }

    /// For how long this process has seen no report of the carrier. It does not grow while the machine sleeps.
    var silence: Duration { keeper.environment.loop.clocks.monotonic() - work.reported }

    /// The machine that waits to be let in, on the loop only.
    var joining: SyncJoining? {
        get { work.joining }
        set {
            work.joining = newValue
            work.fault = nil
        }
    }

    // MARK: - When

    /// To be called at the end of each turn: what was saved is published a moment later, together with what is saved until then.
    func noteTurn() {
        guard spool != nil else { return }
        let vault = keeper.opened
        let isOpen = vault?.state == .unlocked
        defer { if keeper.lease == nil { work.isOpen = isOpen } }
        if !isOpen, keeper.lease == nil { (work.isCleared, work.hasFetched) = (false, false) }
        guard isOpen, let sync = try? vault?.sync else { return }
        clearLeftovers(of: sync)
        guard sync.isStarted || work.joining != nil else { return }
        if !work.isOpen {
            exchangeNow()
        } else if work.fault == nil, sync.hasChanges, !isDueSoon {
            timer?.schedule(after: .milliseconds(Limits.publicationMilliseconds))
        }
    }

    /// Removes from the spool, after each unlock, what nothing waits for any more: what knew of it ended with the lock or the process.
    /// While it is there the carrier compares the files every ten seconds.
    private func clearLeftovers(of sync: StoredSync) {
        guard let spool, !work.isCleared, work.beginnings == 0 else { return }
        work.isCleared = true
        if let device = sync.device, let group = sync.members?.group {
            spool.removeInvitations(of: device, in: group, besides: work.invitation?.id)
        } else if work.joining == nil, sync.isAbsent {
            end(spool)
        }
    }

    /// Ends what the carrier does, removes all that is exchanged with it, and forgets what was found: that was of this group.
    func end(_ spool: SyncSpool) {
        findings = SyncFindings()
        spool.removeOrder()
        spool.removeAll()
    }

    /// To be called before an order or an invitation is put into the spool. Then `noteBegun` follows, at which this knows what waits for
    /// it; where nothing does it is removed at the end of the turn.
    func noteBeginning() { work.beginnings += 1 }

    func noteBegun() {
        work.beginnings -= 1
        work.isCleared = false
    }

    /// Keeps an invitation that was put into the spool.
    func keep(_ inviting: SyncInviting, in spool: SyncSpool) -> OpenInvitation {
        let invitation = OpenInvitation(inviting, in: spool, on: keeper.environment.loop)
        work.invitation = invitation
        return invitation
    }

    private var isDueSoon: Bool {
        guard let deadline = timer?.deadline else { return work.isRunning }
        let soon = keeper.environment.loop.clocks.monotonic() + .milliseconds(Limits.publicationMilliseconds)
        return deadline <= soon
    }

    /// Something has arrived, or the user has changed something.
    func exchangeNow() {
        // What runs now may not see it, and sets the timer at its end.
        if work.isRunning { work.isDueAgain = true }
        timer?.schedule(after: .zero)
    }

    /// The carrier has replaced its report: the last file of a round.
    private func noteReport() {
        work.reported = keeper.environment.loop.clocks.monotonic()
        arrived.resumeAll()
        exchangeNow()
    }

    private func watchSpool() {
        guard watch == nil, let spool else { return }
        watch = try? InotifySource(
            on: keeper.environment.loop, path: spool.receivedPath, events: [.movedTo, .selfDeleted, .selfMoved]
        ) { [unowned self] events, name in
            if !events.isDisjoint(with: [.ended, .selfDeleted, .selfMoved]) { watch = nil }
            if name == "state.json" { noteReport() }
        }
        if watch != nil { work.reported = keeper.environment.loop.clocks.monotonic() }
    }

    /// Waits for the next report of the carrier.
    func awaitReport(until deadline: Instant) async throws(WaitFailure) {
        try await arrived.value(until: deadline)
    }

    // MARK: - What

    private func start() {
        watchSpool()
        guard !work.isRunning else {
            work.isDueAgain = true
            return
        }
        _ = keeper.environment.tasks.start { await self.run() }
    }

    /// Whether the vault is open, or other work has it: that is waited for. At the next unlock all is exchanged.
    private var mayRun: Bool { keeper.isAway || keeper.opened?.state == .unlocked }

    private func run() async {
        guard let spool, mayRun else { return }
        work.isRunning = true
        work.isDueAgain = false
        let before = work.fault
        do throws(SyncFault) {
            if let joining = work.joining { try await join(joining, through: spool) }
            try await stamp()
            if try await isActive(in: spool) {
                let problem = try await merge(from: spool)
                if problem != .removed { try await publish(to: spool) }
                if let problem { throw .stopped(problem) }
            }
            work.fault = nil
        } catch {
            // The user has stopped sync meanwhile.
            work.fault = error == .failed(.notStarted) ? nil : error
        }
        work.isRunning = false
        if let fault = work.fault, fault != before, fault != .interrupted {
            keeper.note(fault.refusal, of: "sync: \(fault.text)")
        }
        let pause = work.fault == nil && work.joining == nil ? Self.longestPause : Self.retryPause
        if mayRun { timer?.schedule(after: work.isDueAgain ? .zero : pause) }
        keeper.environment.turn.arm()
    }

    /// Whether sync was started, and the user has decided about a restored vault. Then the carrier fetches once after each unlock.
    private func isActive(in spool: SyncSpool) async throws(SyncFault) -> Bool {
        let hasFetched = work.hasFetched
        let isActive = try await step { vault throws(SyncFailure) in
            let sync = try vault.sync
            guard sync.isStarted, !sync.isRestored else { return false }
            // Its id may be a new one since the last unlock, or since a kill.
            try spool.renewOrder(for: sync.device)
            if !hasFetched { spool.repeatGitOrder() }
            return true
        }
        work.hasFetched = hasFetched || isActive
        return isActive
    }

    /// Stamps what was saved here, some at a time, also before the user has decided about a restored vault.
    private func stamp() async throws(SyncFault) {
        let now = keeper.clock.now
        while try await step({ vault throws(SyncFailure) in try vault.sync.stampNext(at: now) }) {}
    }

    /// One file, or one batch of a large one, at a time: others use the vault in between. Returns why not all is merged.
    private func merge(from spool: SyncSpool) async throws(SyncFault) -> ArrivedChanges.Problem? {
        let arrivals = work.arrivals
        var hasMore = true
        defer {
            let done = arrivals.beginAgain()
            if done.isChanged { announceChange() }
            note(done.twins)
        }
        while hasMore {
            let now = keeper.clock.now
            let changes = try await step { vault throws(SyncFailure) in
                try arrivals.merge(into: vault.sync, from: spool, at: now)
            }
            hasMore = changes.hasMore
            work.ignored = arrivals.malformedCount
            if let problem = changes.problem { return problem }
        }
        return nil
    }

    /// Answers the invitation once it has arrived, and begins once this machine was let in.
    private func join(_ present: SyncJoining, through spool: SyncSpool) async throws(SyncFault) {
        guard !present.hasEnded(at: keeper.clock.steady) else {
            work.joining = nil
            end(spool)
            throw .failed(.invitation(.expired))
        }
        let now = keeper.clock.now
        let (joining, isIn) = try await step { vault throws(SyncFailure) in
            var joining = present
            if try joining.answer(in: spool), let order = spool.carrierOrder {
                try spool.write(
                    CarrierOrder(
                        location: order.location, group: joining.group?.hexadecimal,
                        device: joining.device.hexadecimal))
            }
            return (joining, try joining.begin(in: vault, from: spool, at: now))
        }
        // The user may have stopped it meanwhile, or typed another code.
        guard work.joining?.device == present.device else { return }
        work.joining = isIn ? nil : joining
        if isIn {
            keeper.notify(.journal(JournalEvent(level: .info, message: "[AutoFill] This machine was let into sync")))
        }
    }
}
