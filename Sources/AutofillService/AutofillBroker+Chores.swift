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
        guard let open = vault.opened, case .unlocked = open.state, let loan = try? vault.lend(for: nil) else { return }
        lastChores = now
        let days = Int64(configuration.settings.keepDeletedDays)
        let kept = configuration.settings.automaticBackups
        chore = .vault(loan) { vault, progress throws(VaultError) in
            vault.limits.recoverableMilliseconds = days * 86_400_000
            _ = try vault.purge(at: now)
            return try vault.backUpIfDue(keeping: kept, at: now, progress)?.path ?? ""
        }
    }

    /// The work to be run on the thread for slow work; `conclude` takes what came of it.
    package func takeChore() -> Deferred.Work? {
        defer { chore = nil }
        return chore
    }

    /// The work is done; nil where it could not be run.
    package func conclude(chore derived: Deferred.Derived?) {
        takeVaultBack()
        guard case .failed(let error) = derived, error != .cancelled else { return }
        let refusal = error.refusalOfBackup
        journal.append(
            JournalEvent(
                level: .error,
                message: "[AutoFill] Fault: the vault could not be backed up: \(refusal.reason.message)",
                refusal: refusal))
    }
}
