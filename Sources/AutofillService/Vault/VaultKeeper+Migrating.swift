// SPDX-License-Identifier: Apache-2.0
internal import CredentialStorage
internal import Credentials
internal import Settings

extension VaultKeeper {
    /// Migrates a vault to the current format, on another thread, once it is unlocked: requests that need it wait for that.
    /// Where that fails, the vault can be read, and the reason is logged; it is tried again with the next
    /// maintenance, and after a repair.
    func migrateIfOlder() {
        guard opened?.isOfOlderFormat ?? false, let lease = try? leaseWhole(for: nil) else { return }
        let now = clock.now
        let task = environment.tasks.start {
            do throws(VaultError) {
                try await self.run(lease) { lease throws(VaultError) in
                    lease.migration = try lease.vault.migrate(at: now, lease.progress)
                }
                if let report = lease.migration { self.note(report) }
            } catch {
                self.note(
                    error,
                    of: "the vault is of an older format and cannot be changed until it is brought to the present one",
                    as: \.refusalOfBackup)
            }
        }
        if task == nil { endLease() }
    }

    /// Waits for a migration that an unlock has begun.
    ///
    /// - Parameter lease: the work on the vault that began with the unlock; nil for none.
    /// - Returns: where the vault is kept as it was before; nil where it was not brought to another format, or not in time.
    func awaitMigration(_ lease: VaultLease?) async -> String? {
        guard let lease else { return nil }
        while self.lease === lease {
            do { try await awaitReturn(within: .seconds(60)) } catch { return nil }
        }
        return lease.migration?.backup
    }

    private func note(_ report: MigrationReport) {
        let message =
            "[AutoFill] The vault was brought from format \(report.formerFormat) to \(report.format); as it "
            + "was before it is kept in \(report.backup)"
        notify(.journal(JournalEvent(level: .warning, message: message)))
    }
}
