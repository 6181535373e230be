// SPDX-License-Identifier: Apache-2.0
internal import AutofillProtocol
internal import CredentialStorage
internal import EventLoop
internal import Reasons
internal import SecretMemory

/// Long work on the vault, on another thread. A request that is taken back has its work stopped and undone; what was done all the
/// same is told and counts: whatever follows from it follows when the work ends, whoever listens.
extension VaultKeeper {
    /// Work is stopped by `VaultProgress`, and not by a time.
    static let longestWork = Duration.seconds(7 * 86_400)

    /// Waits until the vault can be leased, runs the work, and ends the lease.
    ///
    /// - Parameters:
    ///   - begin: begins the lease. Judged anew after each wait for it.
    ///   - refusal: what is told of the work's errors.
    func work<Result: Sendable>(
        _ request: RequestContext, _ modules: Modules, refusing refusal: (VaultError) -> Refusal = \.refusal,
        leasing begin: () throws(RefusedRequest) -> VaultLease,
        _ work: @escaping @Sendable (VaultLease) throws(VaultError) -> Result
    ) async throws(RefusedRequest) -> Result {
        try request.willWait()
        let lease = try await modules.decide(request, begin)
        request.progress.isWorkingOnVault = true
        defer { request.progress.isWorkingOnVault = false }
        do throws(VaultError) {
            return try await run(lease, work)
        } catch {
            throw RefusedRequest([refusal(error)])
        }
    }

    /// Runs work on a leased vault to its end, also where its task is cancelled meanwhile: then the work is told to stop.
    func run<Result: Sendable>(
        _ lease: VaultLease, _ work: @escaping @Sendable (VaultLease) throws(VaultError) -> Result
    ) async throws(VaultError) -> Result {
        let now = clock.steady
        let progress = lease.progress
        defer { endLease() }
        let outcome: Swift.Result<Result, VaultError>
        do throws(WaitFailure) {
            outcome = try await surroundings.pool.run(
                .vault, deadline: Self.longestWork, onCancel: { progress.cancel() }
            ) { () -> Swift.Result<Result, VaultError> in
                defer { StackResidue.wipe() }
                // What was answered before must not wait for the end of the work to be on the disk.
                if lease.frozen == nil { try? lease.vault.releases.sync(at: now) }
                do throws(VaultError) { return .success(try work(lease)) } catch { return .failure(error) }
            }
        } catch {
            throw error == .cancelled ? VaultError.cancelled : VaultError.rekeying
        }
        return try outcome.get()
    }

    /// Looks at the whole vault as it is now, while others use it.
    ///
    /// The log is written back on the other thread first, in a moment for which the vault is leased: freezing the vault with a
    /// full log would stop the event loop for some 20 ms.
    func look<Seen: Sendable>(
        _ request: RequestContext, _ modules: Modules, refusing refusal: (VaultError) -> Refusal = \.refusal,
        _ look: @escaping @Sendable (any VaultView, VaultProgress) throws(VaultError) -> Seen
    ) async throws(RefusedRequest) -> Seen {
        let method = request.method
        try await work(request, modules, refusing: refusal) { () throws(RefusedRequest) in
            _ = try unlocked()
            return try leaseWhole(for: method)
        } _: { lease throws(VaultError) in
            // Where that cannot be, the vault is leased whole for the look.
            try? lease.vault.writeBack()
            if lease.progress.isCancelled { throw .cancelled }
        }
        return try await work(request, modules, refusing: refusal) { () throws(RefusedRequest) in
            _ = try unlocked()
            return try leaseFrozen(for: method)
        } _: { lease throws(VaultError) in
            try look(lease.view, lease.progress)
        }
    }
}
