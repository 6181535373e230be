// SPDX-License-Identifier: Apache-2.0
internal import AutofillPolicy
internal import AutofillProtocol
internal import CredentialStorage
internal import Credentials
internal import Settings

/// What happens to the session or the machine, as the login manager tells it.
package enum SessionSignal: Hashable, Sendable {
    case locked, unlocked
    case fallsAsleep, wokeUp
}

/// When the vault locks by itself.
extension AutofillBroker {
    /// Closes the vault; its keys leave the memory. Returns whether it was open.
    @discardableResult
    func lock(_ cause: ServiceEvent.LockCause) -> Bool {
        guard vault.fact == .unlocked else { return false }
        guard vault.loan == nil else {
            // Whoever works on it uses it. (The keys are gone when the work has stopped.)
            guard cause != .idle else { return false }
            vault.lock(at: now)
            lockOnReturn = cause
            return true
        }
        vault.lock(at: now)
        noteLock(cause)
        return true
    }

    private func noteLock(_ cause: ServiceEvent.LockCause) {
        lockedBy = cause
        log(.info, "[AutoFill] The vault was locked: \(cause.inWords)")
        announce(.vaultLocked(cause))
    }

    /// To be called when the vault is back from another thread: what was to be locked meanwhile is.
    func noteVaultBack() {
        guard let cause = lockOnReturn else { return }
        lockOnReturn = nil
        if vault.fact == .locked { noteLock(cause) }
        let waiting = whenLocked
        whenLocked = []
        for done in waiting { done() }
    }

    /// To be called whenever the vault has been opened.
    func noteUnlock() {
        lockedBy = nil
        lastUse = now
        log(.info, "[AutoFill] The vault was unlocked")
        announce(.vaultUnlocked)
        end(.unlock)
    }

    /// Locks the vault when nobody was given anything for as long as the settings say. A look at the status is no use.
    package func lockWhenIdle() {
        let minutes = configuration.settings.lockWhenIdleMinutes
        // A clock that was set back starts anew.
        lastUse = min(lastUse, now)
        guard minutes > 0, now.milliseconds - lastUse.milliseconds >= Int64(minutes) * 60_000 else { return }
        lock(.idle)
    }

    /// That nothing will be heard of the session and of sleep.
    package func noteLoginAbsent(_ why: String) {
        log(.info, "[AutoFill] The vault is not locked with the session, nor before sleep: \(why)")
    }

    /// That the machine may be asleep before the vault is locked.
    package func noteSleepNotHeld() {
        log(.debug, "[AutoFill] The login manager does not wait for the vault to be locked before sleep")
    }

    /// Locks the vault with the session and before sleep, by the settings. What opened by its key file at the start, and
    /// was locked so, opens by it again afterwards: `keyFile`. `done` is called when the keys are gone that are to go.
    package func follow(_ signal: SessionSignal, keyFile: String?, done: @escaping () -> Void = {}) {
        act(on: signal, keyFile)
        if lockOnReturn == nil { done() } else { whenLocked.append(done) }
    }

    /// Locks again what a restore has opened while the session was locked or the machine asleep.
    func lockIfShut() {
        if let cause = shutBy.contains(.session) ? .session : shutBy.first { lock(cause) }
    }

    private func act(on signal: SessionSignal, _ keyFile: String?) {
        let settings = configuration.settings
        switch signal {
        case .locked where settings.lockOnSessionLock: shutBy.insert(.session)
        case .fallsAsleep where settings.lockBeforeSleep: shutBy.insert(.sleep)
        case .unlocked: shutBy.remove(.session)
        case .wokeUp: shutBy.remove(.sleep)
        default: break
        }
        switch signal {
        case .locked where settings.lockOnSessionLock:
            // Asleep or not: it opens again when the session does.
            if !lock(.session), lockedBy == .sleep { lockedBy = .session }
        case .fallsAsleep where settings.lockBeforeSleep:
            lock(.sleep)
        case .unlocked where lockedBy == .session, .wokeUp where lockedBy == .sleep:
            guard let keyFile else { return }
            do {
                try unlock(withKeyFile: keyFile)
            } catch {
                log(.warning, "[AutoFill] The key file does not open the vault again")
            }
        default: break
        }
    }
}

extension ServiceEvent.LockCause {
    fileprivate var inWords: String {
        switch self {
        case .request: "on request"
        case .idle: "nobody used it"
        case .session: "the session was locked"
        case .sleep: "the machine falls asleep"
        }
    }
}
