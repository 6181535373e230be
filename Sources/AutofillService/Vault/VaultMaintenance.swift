// SPDX-License-Identifier: Apache-2.0
internal import AutofillPolicy
internal import CredentialStorage
internal import Credentials
internal import Settings

/// What the daemon does of itself for the vault: once an hour, and when the vault was opened after a longer time, it removes
/// what was deleted long enough ago, and makes the day's backup.
final class VaultMaintenance {
    private static let interval: Int64 = 3_600_000

    private let keeper: VaultKeeper
    private let settings: SettingsInForce
    /// When it was last done, in milliseconds of the steady clock.
    private var last: Int64?
    /// Whether settled offers could not be dropped since then.
    private var hasFailedToDrop = false

    init(_ keeper: VaultKeeper, _ settings: SettingsInForce) {
        self.keeper = keeper
        self.settings = settings
    }

    /// When `runIfDue` has something to do; nil while the vault is not open.
    var nextRun: Timestamp? {
        guard keeper.fact == .unlocked else { return nil }
        if mustDropOffers { return keeper.clock.steady }
        return last.map { Timestamp(milliseconds: $0 + Self.interval) } ?? keeper.clock.steady
    }

    /// Does what is due; costs nothing where nothing is.
    func runIfDue() async {
        let now = keeper.clock.steady
        guard keeper.lease == nil, keeper.opened?.state == .unlocked else { return }
        if mustDropOffers { await dropSettledOffers() }
        if let last, now.milliseconds - last < Self.interval { return }
        guard keeper.lease == nil, keeper.opened?.state == .unlocked else { return }
        last = now.milliseconds
        hasFailedToDrop = false
        if keeper.opened?.isOfOlderFormat ?? false { return keeper.migrateIfOlder() }
        // One that fails keeps the other from nothing.
        do throws(VaultError) { try await purge(at: now) } catch {
            keeper.note(error, of: "what was deleted could not be removed", as: \.refusalOfBackup)
        }
        do throws(VaultError) { try await backUpIfDue() } catch {
            keeper.note(error, of: "the vault could not be backed up", as: \.refusalOfBackup)
        }
    }

    private var mustDropOffers: Bool {
        guard !hasFailedToDrop, let open = keeper.opened else { return false }
        return (try? open.readers.offers.hasTooManySettled) == true && !open.isOfOlderFormat
    }

    /// When there are more than the limit: an app may settle offers as fast as it can.
    private func dropSettledOffers() async {
        guard let lease = try? keeper.leaseWhole(for: nil) else { return }
        do throws(VaultError) {
            try await keeper.run(lease) { lease throws(VaultError) in try lease.vault.writers.offers.dropSettled() }
            // Those that are damaged count, and stay.
            hasFailedToDrop = mustDropOffers
        } catch {
            hasFailedToDrop = true
            keeper.note(error, of: "settled offers could not be removed", as: \.refusalOfBackup)
        }
    }

    private func purge(at now: Timestamp) async throws(VaultError) {
        guard let lease = try? keeper.leaseWhole(for: nil) else { return }
        let (days, count) = (Int64(settings.effective.keepDeletedDays), settings.effective.automaticBackups)
        let date = keeper.clock.now
        try await keeper.run(lease) { lease throws(VaultError) in
            lease.vault.limits.recoverableMilliseconds = days * 86_400_000
            _ = try lease.vault.purge(at: now)
            // Here, and not on the event loop when it is frozen for the backup.
            try? lease.vault.emptyLog()
            // A backup that is due needs it empty.
            if (try? lease.vault.backups.due(keeping: count, at: date)) == nil { try? lease.vault.beginLog() }
        }
        guard let wrong = keeper.opened?.takeWrongPurgeTime() else { return }
        let message =
            "[AutoFill] The time by which deleted records are removed was wrong: \(wrong), as of a wrong system clock. It was set "
            + "again"
        keeper.notify(.journal(JournalEvent(level: .warning, message: message)))
    }

    /// The day's backup, while the vault is in use.
    private func backUpIfDue() async throws(VaultError) {
        let count = settings.effective.automaticBackups
        guard let open = keeper.opened, case .unlocked = open.state,
            let path = try open.backups.due(keeping: count, at: keeper.clock.now),
            let lease = try? keeper.leaseFrozen(for: nil)
        else { return }
        let report = try await keeper.run(lease) { lease throws(VaultError) in
            try lease.view.copy(to: path, lease.progress)
        }
        guard let open = keeper.opened else { return }
        try open.backups.note(report.path, at: keeper.clock.now)
        keeper.note(report.findings)
        // Those from before the damage must not go.
        guard report.findings.isEmpty else { return }
        try open.backups.removeOld(keeping: count)
    }
}
