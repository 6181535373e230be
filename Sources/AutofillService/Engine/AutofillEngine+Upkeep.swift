// SPDX-License-Identifier: Apache-2.0
internal import AssociatedDomains
internal import AutofillProtocol
package import ConfigurationFiles
internal import CredentialStorage
internal import Credentials
package import EventLoop
internal import Forms
package import Prompting
internal import Reasons
package import SecretMemory
package import Settings

/// What happens beside requests, by time or by signals from outside.
extension AutofillEngine {
    private var shownState: EngineStatus.Shown {
        EngineStatus.Shown(
            vault: vault.stateCode, credentials: vault.opened?.credentialCount, clients: sessions.all.count)
    }

    /// One line for `systemctl status`.
    package var statusLine: String { shownState.line }

    /// Reports the line where it has changed.
    func reportStatus() {
        let state = shownState
        guard state != status.reported else { return }
        let mayWait = state.vault == status.reported?.vault
        status.reported = state
        turn.subscriber?.statusChanged(state.line, mayWait: mayWait)
    }

    /// Does what is due; to be called some seconds after an event, and at `nextUpkeep`.
    package func keepUp() async {
        turn.begin()
        vault.noteFindingsOfReads()
        vault.lockWhenIdle(minutes: idleMinutes)
        vault.restWhenUnused()
        stores.associations.refreshIfDue()
        sessions.codes.removeExpired()
        await maintenance.runIfDue()
    }

    /// In how long `keepUp` has something to do, where nothing happens before; nil: never. What is due already waits for
    /// others' work on the vault: it is tried again.
    package var nextUpkeep: Duration? {
        let times = [
            vault.idleEnd(minutes: idleMinutes), vault.restTime, stores.associations.nextRefresh,
            maintenance.nextRun, sessions.codes.nextExpiry,
        ]
        return times.compactMap(\.self).min().map { next in
            let left = next.milliseconds - vault.clock.steady.milliseconds
            return .milliseconds(left > 0 ? left : Int64(Limits.upkeepMilliseconds))
        }
    }

    private var idleMinutes: Int { stores.settings.effective.lockWhenIdleMinutes }

    /// Files of registrations, or of what is stored of sites, may have changed.
    package func readFiles() { stores.apps.reloadNow() }

    /// Removes the prompts of programs that have ended: a child may still hold their connection open. Called about once a second
    /// while the user is asked for any program.
    ///
    /// - Returns: whether the user still is.
    @discardableResult
    package func endPromptsOfEnded() -> Bool {
        var isAnyPrompting = false
        for session in sessions.all.values {
            let prompting = session.waiting.values.filter { $0.state.isPromptingUser }
            guard !prompting.isEmpty else { continue }
            guard session.peerHasEnded else {
                isAnyPrompting = true
                continue
            }
            for request in prompting {
                refuse(request, RefusedRequest(.peerEnded))
                request.cancel()
            }
        }
        return isAnyPrompting
    }

    /// Reads the settings and the registrations again. Where a settings file has mistakes, the settings in force stay.
    package func reload() async -> ConfigurationFileProblem? {
        stores.environment.revision.advance()
        await stores.apps.reload()
        switch await stores.settings.reload() {
        case .success(let change):
            SettingsAnnouncer(stores.audit, stores.events).announce(change)
            return nil
        case .failure(let problem): return problem
        }
    }

    /// What happens to the session or the machine: locks the vault with it, by the settings. Returns when the keys are deleted that
    /// are to be.
    package func follow(_ signal: SessionSignal) async {
        let settings = stores.settings.effective
        vault.follow(
            signal, locksOnSessionLock: settings.lockOnSessionLock, locksBeforeSleep: settings.lockBeforeSleep)
        stores.environment.turn.arm()
        await vault.awaitLocked()
    }

    /// What the login manager reports.
    package func noteLogin(_ message: String, _ level: DaemonSettings.LogLevel) {
        stores.audit.journal.log(level, message)
    }

    /// The terminal that is attached to prompts.
    package var promptTerminal: PromptEnvironment.Terminal? { service.services.attachment.terminal }

    /// For what blocks.
    package var pool: WorkerPool { stores.environment.pool }

    /// What is in force.
    package var settings: DaemonSettings { stores.settings.effective }

    // MARK: - Beginning and end

    /// A vault in memory, with this key.
    package func createEphemeralVault(key: SecretBytes) throws { try vault.createEphemeral(key: key) }

    /// Opens the vault with a key file.
    package func unlock(withKeyFile path: String) throws { try vault.unlock(withKeyFile: path) }

    /// Builds beside the loop what the first form would otherwise wait for on it.
    ///
    /// - Parameter isAwaited: whether a client is connected already: it is answered first.
    package func prepareForms(isAwaited: Bool) {
        status.hasFormsToPrepare = isAwaited && !status.hasAnswered
        guard !status.hasFormsToPrepare else { return }
        let pool = pool
        _ = stores.environment.tasks.start {
            try? await pool.run(.rules, deadline: .seconds(10)) { FormAnalysis.prepare() }
        }
    }

    func noteAnswered() {
        status.hasAnswered = true
        if status.hasFormsToPrepare { prepareForms(isAwaited: false) }
    }

    /// Accepts no more work: prompts are removed, work on the vault stops and is undone.
    package func beginStopping() {
        status.isStopping = true
        service.prompts.stop()
        stores.associations.stop()
        vault.stopWork()
    }

    /// Waits until no other thread has the vault, and closes it. Nothing is served afterwards.
    package func close() async {
        while vault.lease != nil {
            vault.stopWork()
            try? await vault.awaitReturn(within: .seconds(10))
        }
        vault.close()
        service.watch.end()
        for id in sessions.all.keys { disconnect(id) }
    }
}
