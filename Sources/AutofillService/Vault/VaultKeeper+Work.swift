// SPDX-License-Identifier: Apache-2.0
internal import AutofillProtocol
internal import CredentialStorage
internal import Credentials
internal import EventLoop
internal import Reasons
internal import SecretMemory
internal import Settings

/// Long work on the vault, on another thread. The work of a cancelled request is stopped and rolled back; what was done all
/// the same is reported and counts: its consequences follow when the work ends, whether or not the client still waits.
extension VaultKeeper {
    /// Work is stopped by `VaultProgress`, and not by a time.
    static let longestWork = Duration.seconds(7 * 86_400)

    /// Runs work on a leased vault to its end, also where its task is cancelled meanwhile: then the work is asked to stop.
    ///
    /// - Parameter isShort: what was released before is brought to the disk when it is due, and not first.
    func run<Result: Sendable>(
        _ lease: VaultLease, isShort: Bool = false,
        _ work: @escaping @Sendable (VaultLease) throws(VaultError) -> Result
    ) async throws(VaultError) -> Result {
        let now = clock.steady
        let progress = lease.progress
        defer { endLease() }
        let outcome: Swift.Result<Result, VaultError>
        do throws(WaitFailure) {
            outcome = try await environment.pool.run(
                .vault, deadline: Self.longestWork, onCancel: { progress.cancel() }
            ) { () -> Swift.Result<Result, VaultError> in
                defer { StackResidue.wipe() }
                // What was answered before must not wait for the end of the work to be on the disk.
                if lease.frozen == nil, !isShort { try? lease.vault.releases.sync(at: now) }
                return Swift.Result { () throws(VaultError) in try work(lease) }
            }
        } catch {
            throw error == .cancelled ? VaultError.cancelled : VaultError.rekeying
        }
        return try outcome.get()
    }

    /// Has another thread write the write-ahead log back once it is long, or a sync of it has failed; at the end of a turn. Where it is
    /// long, not while the log is brought to the disk: after that, requests wait for one sync, of the database.
    func writeBackIfLong() {
        if work.mustRescueLog { rescueLog() }
        guard !work.isSyncing, let vault = opened, vault.mustWriteBack, let lease = try? leaseWhole(for: nil) else {
            return
        }
        let task = environment.tasks.start {
            // Where that fails it is tried again when the log has grown as much once more.
            _ = try? await self.run(lease, isShort: true) { lease throws(VaultError) in try lease.vault.writeBack() }
        }
        if task == nil { endLease() }
    }

    /// Has another thread write the log back after a sync of it that failed: the kernel takes it for written, and its content gets into
    /// the database while it is still cached. Where that fails too, it is tried again after another lease and before each write, which is
    /// refused where it fails once more.
    private func rescueLog() {
        work.mustRescueLog = false
        guard let vault = opened, vault.hasFailedLog, let lease = try? leaseWhole(for: nil) else { return }
        lease.isRescue = true
        let task = environment.tasks.start {
            do throws(VaultError) {
                try await self.run(lease, isShort: true) { lease throws(VaultError) in try lease.vault.emptyLog() }
            } catch {
                self.note(error.refusal, of: "the log of the vault could not be written back")
            }
        }
        if task == nil { endLease() }
    }

    /// Does what no request is refused for where it fails: then it is logged. That the vault was locked meanwhile is no fault.
    ///
    /// - Parameter what: what could not be done.
    func logging(_ what: String, _ body: () throws(VaultError) -> Void) {
        do throws(VaultError) { try body() } catch {
            note(error, of: what)
        }
    }

    /// Logs an error for which no request is refused, unless the vault was locked meanwhile or the work cancelled.
    func note(_ error: VaultError, of what: String, as refusal: (VaultError) -> Refusal = \.refusal) {
        if error != .cancelled, error != .locked { note(refusal(error), of: what) }
    }

    /// Logs a fault for which no request is refused.
    func note(_ refusal: Refusal, of what: String) {
        notify(
            .journal(
                JournalEvent(
                    level: .error, message: "[AutoFill] Fault: \(what): \(refusal.reason.message)", refusal: refusal)))
    }
}
