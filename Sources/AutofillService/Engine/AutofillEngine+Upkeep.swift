// SPDX-License-Identifier: Apache-2.0
internal import AssociatedDomains
internal import AutofillProtocol
package import ConfigurationFiles
internal import CredentialStorage
internal import Credentials
package import EventLoop
internal import Forms
internal import Prompting
internal import Reasons
package import SecretMemory
package import Settings

/// What happens beside requests, by time or by signals from outside.
extension AutofillEngine {
    private var shownState: ShownState {
        ShownState(
            vault: modules.vault.word, credentials: modules.vault.opened?.counts?.credentials,
            clients: sessions.all.count)
    }

    /// One line for `systemctl status`.
    package var statusLine: String {
        let state = shownState
        let saved = state.credentials.map { ", " + Self.counted($0, "credential") } ?? ""
        return "Vault \(state.vault)\(saved), \(Self.counted(state.clients, "client"))"
    }

    private static func counted(_ number: Int, _ noun: String) -> String {
        "\(number) \(noun)\(number == 1 ? "" : "s")"
    }

    /// Tells the line where it has changed.
    func tellStatus() {
        let state = shownState
        guard state != life.toldState else { return }
        let mayWait = state.vault == life.toldState?.vault
        life.toldState = state
        life.tellStatus(statusLine, mayWait)
    }

    /// Does what is due; to be called some seconds after something has happened, and when `nextUpkeep` says.
    package func keepUp() async {
        modules.vault.noteFindingsOfReads()
        modules.vault.lockWhenIdle(minutes: idleMinutes)
        modules.vault.restWhenUnused()
        modules.associations.refreshIfDue()
        await maintenance.runIfDue()
    }

    /// In how long `keepUp` has something to do, where nothing happens before; nil: never. What is due already waits for
    /// others' work on the vault: it is tried again.
    package var nextUpkeep: Duration? {
        let times = [
            modules.vault.idleEnd(minutes: idleMinutes), modules.vault.restTime, modules.associations.nextRefresh,
            maintenance.nextRun,
        ]
        return times.compactMap(\.self).min().map { next in
            let left = next.milliseconds - modules.clock.steady.milliseconds
            return .milliseconds(left > 0 ? left : Int64(Limits.upkeepMilliseconds))
        }
    }

    private var idleMinutes: Int { modules.settings.effective.lockWhenIdleMinutes }

    /// Files of registrations, or of what is known of sites, may have changed.
    package func lookAtFiles() { modules.apps.lookNow() }

    /// Takes the prompts of programs away that have ended: a child may still hold their connection open. To be called about once
    /// a second while anybody has the person asked.
    ///
    /// - Returns: whether anybody still has.
    @discardableResult
    package func endPromptsOfEnded() -> Bool {
        var isAnybodyAsking = false
        for session in sessions.all.values {
            let asking = session.waiting.values.filter { $0.progress.isAskingPerson }
            guard !asking.isEmpty else { continue }
            guard session.peerHasEnded else {
                isAnybodyAsking = true
                continue
            }
            for request in asking {
                refuse(request, RefusedRequest(.peerEnded))
                request.cancel()
            }
        }
        return isAnybodyAsking
    }

    /// Reads the settings and the registrations again. Where a settings file has mistakes, the settings in force stay.
    package func reload() async -> ConfigurationFileProblem? {
        modules.surroundings.revision.advance()
        await modules.apps.look()
        return await modules.settings.reload()
    }

    /// What happens to the session or the machine: locks the vault with it, by the settings. Returns when the keys are gone that
    /// are to go.
    package func follow(_ signal: SessionSignal) async {
        let settings = modules.settings.effective
        modules.vault.follow(
            signal, locksOnSessionLock: settings.lockOnSessionLock, locksBeforeSleep: settings.lockBeforeSleep)
        modules.surroundings.turn.arm()
        await modules.vault.awaitLocked()
    }

    /// What the login manager has come to.
    package func noteLogin(_ message: String, _ level: DaemonSettings.LogLevel) {
        modules.audit.journal.log(level, message)
    }

    /// Where the next prompt shows: the program that is set, what may be set, and the terminal that was given to prompts.
    package var promptPlace: PromptPlace {
        let settings = modules.settings
        return (settings.effective.prompter?.text, settings.layers.prompters, modules.attachments.terminal)
    }

    /// For what blocks.
    package var pool: WorkerPool { modules.surroundings.pool }

    /// What is in force.
    package var settings: DaemonSettings { modules.settings.effective }

    // MARK: - Beginning and end

    /// A vault in memory, with this key.
    package func createEphemeralVault(key: SecretBytes) throws { try modules.vault.createEphemeral(key: key) }

    /// Opens the vault with a key file.
    package func unlock(withKeyFile path: String) throws { try modules.vault.unlock(withKeyFile: path) }

    /// Builds beside the loop what the first form would otherwise wait for on it.
    ///
    /// - Parameter isAwaited: whether a client is there already: it is answered first.
    package func prepareForms(isAwaited: Bool) {
        life.formsWait = isAwaited && !life.hasAnswered
        guard !life.formsWait else { return }
        let pool = pool
        _ = modules.surroundings.tasks.start {
            try? await pool.run(.rules, deadline: .seconds(10)) { FormAnalysis.prepare() }
        }
    }

    /// Takes no more work: prompts go away, work on the vault stops and is undone.
    package func beginStopping() {
        life.isStopping = true
        modules.authoriser.prompts.stop()
        modules.associations.stop()
        modules.vault.stopWork()
    }

    /// Waits until no other thread has the vault, and closes it. Nothing is served afterwards.
    package func close() async {
        while modules.vault.lease != nil {
            modules.vault.stopWork()
            try? await modules.vault.awaitReturn(within: .seconds(10))
        }
        modules.vault.close()
        untie()
        for id in sessions.all.keys { disconnect(id) }
    }
}
