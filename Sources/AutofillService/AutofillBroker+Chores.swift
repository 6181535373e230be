// SPDX-License-Identifier: Apache-2.0
internal import CredentialStorage
internal import Credentials
internal import Reasons
internal import Settings

/// What the daemon does of itself for the vault: once an hour, and when the vault was opened after a longer time, it removes
/// what was deleted long enough ago, and makes the day's backup.
extension AutofillBroker {
    private static let choreInterval: Int64 = 3_600_000

    /// Begins what is due; costs nothing where nothing is. `takeChore` has the work.
    package func beginChores() {
        let now = now
        if let lastChores, (0..<Self.choreInterval).contains(now.milliseconds - lastChores.milliseconds) { return }
        guard let open = vault.opened, case .unlocked = open.state, vault.loan == nil,
            let loan = try? vault.lend(for: nil, at: now)
        else { return }
        lastChores = now
        let days = Int64(configuration.settings.keepDeletedDays)
        chore = .vault(loan) { vault, _ throws(VaultError) in
            vault.limits.recoverableMilliseconds = days * 86_400_000
            let count = try vault.purge(at: now)
            // Here, and not on the event loop when it is frozen for the backup.
            try? vault.writeBack()
            return count
        }
    }

    /// The work to be run on the thread for work on the vault; `conclude` takes what came of it.
    package func takeChore() -> Deferred.Work? {
        defer { chore = nil }
        return chore
    }

    /// The work is done; nil where it could not be run.
    package func conclude(chore derived: Deferred.Derived?) {
        takeVaultBack()
        do throws(VaultError) {
            switch derived {
            case .worked(let report as BackupReport): try conclude(report)
            case .worked: try beginBackup()
            case .failed(let error): throw error
            default: return
            }
        } catch {
            guard error != .cancelled, error != .locked else { return }
            report(error)
        }
    }

    /// The day's backup, while the vault is in use.
    private func beginBackup() throws(VaultError) {
        guard let open = vault.opened, case .unlocked = open.state,
            let path = try open.dueBackup(keeping: configuration.settings.automaticBackups, at: now),
            let loan = try? vault.lendFrozen(for: nil, at: now)
        else { return }
        chore = .look(loan) { view, progress throws(VaultError) in try view.copy(to: path, progress) }
    }

    private func conclude(_ report: BackupReport) throws(VaultError) {
        guard let open = vault.opened else { return }
        try open.note(backup: report.path, at: now)
        note(report.findings)
        // Those from before the damage must not go.
        guard report.findings.isEmpty else { return }
        try open.removeOldBackups(keeping: configuration.settings.automaticBackups)
    }

    private func report(_ error: VaultError) {
        let refusal = error.refusalOfBackup
        journal.append(
            JournalEvent(
                level: .error,
                message: "[AutoFill] Fault: the vault could not be backed up: \(refusal.reason.message)",
                refusal: refusal))
    }
}
