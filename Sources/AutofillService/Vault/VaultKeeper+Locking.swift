// SPDX-License-Identifier: Apache-2.0
internal import AutofillPolicy
internal import AutofillProtocol
internal import CredentialStorage
internal import Credentials
internal import SecretMemory
internal import Settings

/// When the vault locks, and what follows from that.
extension VaultKeeper {
    /// Closes the vault; its keys leave the memory. Where another thread works on it, as soon as that has stopped, and where
    /// its log is long, as soon as another thread has written that back: see `awaitLocked`.
    ///
    /// - Returns: whether it was open.
    @discardableResult
    func lock(_ cause: ServiceEvent.LockCause, causedBy request: RequestContext? = nil) -> Bool {
        guard fact == .unlocked else {
            // No key file opens what the user has locked.
            if cause == .request { lockState.mayReopen = false }
            return false
        }
        guard let lease else {
            if lockAfterWritingBack(cause, request) { return true }
            opened?.lock()
            noteLock(cause, request)
            return true
        }
        // Whoever works on it uses it.
        guard cause != .idle else { return false }
        // The first cause is kept.
        if lockState.pending == nil { (lockState.pending, lockState.pendingRequest) = (cause, request) }
        lease.progress.cancel()
        return true
    }

    /// Has another thread write a long log back first: the event loop would stand still for some 20 ms.
    ///
    /// - Returns: whether the lock follows on that.
    private func lockAfterWritingBack(_ cause: ServiceEvent.LockCause, _ request: RequestContext?) -> Bool {
        guard let vault = opened, vault.hasLongLog, let lease = try? leaseWhole(for: nil) else { return false }
        (lockState.pending, lockState.pendingRequest) = (cause, request)
        let task = environment.tasks.start {
            // Where that fails it is tried once more on locking.
            _ = try? await self.run(lease) { lease throws(VaultError) in try lease.vault.emptyLog() }
        }
        if task == nil { endLease() }
        return true
    }

    private func noteLock(_ cause: ServiceEvent.LockCause, _ request: RequestContext?) {
        lockState.mayReopen = cause == .session || cause == .sleep
        lockState.hasResidue = true
        environment.turn.arm()
        notify(.locked(cause), causedBy: request)
    }

    /// Overwrites what keys have left on the stack. The lock does so from where it is; between the frames that it was called through
    /// some may remain from calls that had other frames. To be called from the end of the turn, which has few frames.
    func wipeResidue() {
        guard lockState.hasResidue else { return }
        lockState.hasResidue = false
        StackResidue.wipe()
    }

    /// The work is done that a lock has waited for. What held it shut may be over by now: then the key file opens it again. Work that has
    /// dropped the keys, as where the file could not be opened again, has locked it, whether or not a lock waits; where none does, the
    /// key file opens it with the next signal of the session or the machine.
    func lockIfPending(after lease: VaultLease) {
        let (pending, request) = (lockState.pending, lockState.pendingRequest)
        (lockState.pending, lockState.pendingRequest) = (nil, nil)
        if opened?.state == .unlocked {
            guard pending != nil else { return }
            opened?.lock()
        } else {
            guard lease.frozen == nil, lease.state == .unlocked else { return }
        }
        noteLock(pending ?? .request, request)
        if pending == nil { lockState.mayReopen = true } else { reopen() }
    }

    /// Whoever opened it: what waits for that goes on.
    func noteUnlocked(_ findings: [VaultFinding] = [], causedBy request: RequestContext? = nil) {
        environment.revision.advance()
        note(findings)
        noteExposure()
        lockState.mayReopen = false
        environment.turn.arm()
        noteUse()
        notify(.unlocked, causedBy: request)
        migrateIfOlder()
    }

    /// Locks the vault when nobody was given anything for the time in the settings. A request for the status is no use of it.
    func lockWhenIdle(minutes: Int) {
        guard let end = idleEnd(minutes: minutes), end <= clock.steady else { return }
        lock(.idle)
    }

    /// When that will be; nil where it is not open, or stays so.
    func idleEnd(minutes: Int) -> Timestamp? {
        guard minutes > 0, fact == .unlocked else { return nil }
        return Timestamp(milliseconds: lockState.lastUse + Int64(minutes) * 60_000)
    }

    /// Locks the vault with the session and before sleep, by the settings. What opened by its key file at the start, and
    /// was locked so or by work, opens by it again when both are over.
    func follow(_ signal: SessionSignal, locksOnSessionLock: Bool, locksBeforeSleep: Bool) {
        switch signal {
        case .locked where locksOnSessionLock:
            lockState.holds.insert(.session)
            lock(.session)
        case .fallsAsleep where locksBeforeSleep:
            lockState.holds.insert(.sleep)
            lock(.sleep)
        case .unlocked:
            lockState.holds.remove(.session)
            reopen()
        case .wokeUp:
            lockState.holds.remove(.sleep)
            reopen()
        case .locked, .fallsAsleep: break
        }
    }

    /// Waits until no lock is pending: the keys are gone that are to go.
    func awaitLocked() async {
        while lockState.pending != nil {
            do { try await awaitReturn(within: .seconds(60)) } catch { return }
        }
    }

    /// Locks again what was opened while the session was locked or the machine asleep.
    ///
    /// - Parameter holds: what kept it locked when that was requested; this is ignored.
    func lockIfHeld(besides holds: Set<ServiceEvent.LockCause> = []) {
        let new = lockState.holds.subtracting(holds)
        if let cause = new.contains(.session) ? .session : new.first { lock(cause) }
    }

    /// Opens by the key file what it may open again, where neither the session nor sleep keeps it locked any more.
    private func reopen() {
        guard lockState.mayReopen, lockState.holds.isEmpty, let keyFile = keyFile() else { return }
        do {
            try unlock(withKeyFile: keyFile)
        } catch {
            let message = "[AutoFill] The key file does not open the vault again"
            notify(.journal(JournalEvent(level: .warning, message: message)))
        }
    }

    /// Opens the vault with a key file, at start or at the administrator's wish.
    func unlock(withKeyFile path: String) throws {
        guard let open = opened, case .locked = open.state else { return }
        let steady = clock.steady
        let attempt = try open.slots.attempt(.key(try KeyFile.read(path)), slot: nil, at: steady)
        let report = try open.unlock(with: attempt.derive(), at: steady)
        noteUnlocked(report.findings)
    }

    /// Opens the vault with the result of an attempt.
    ///
    /// - Parameter holds: what held it shut when the secret was given.
    /// - Returns: the number of findings; nil where it was open already.
    func unlock(
        with outcome: UnlockOutcome, givenUnder holds: Set<ServiceEvent.LockCause>,
        causedBy request: RequestContext? = nil
    ) throws(VaultError) -> Int? {
        guard let open = opened else { throw .missing }
        if case .unlocked = open.state { return nil }
        let report = try open.unlock(with: outcome, at: clock.steady)
        noteUnlocked(report.findings, causedBy: request)
        lockIfHeld(besides: holds)
        return report.findings.count
    }

    /// A vault in memory, with a key.
    func createEphemeral(key: SecretBytes) throws {
        guard let open = opened else { return }
        var entropy = environment.entropy
        let slot = try NewSlot.derive(from: .key(key), label: "key", cost: PassphraseCost.least, using: &entropy)
        try open.create([slot], at: clock.now)
    }
}
