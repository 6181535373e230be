// SPDX-License-Identifier: Apache-2.0
internal import AutofillProtocol
internal import CredentialStorage
internal import Credentials
internal import EventLoop
internal import Settings
internal import SyncFiles
internal import SyncMerge

/// What it does with the vault.
extension SyncExchange {
    /// Publishes what changed here, and tidies this machine's files. Its id may be a new one afterwards: another copy of it writes too.
    func publish(to spool: SyncSpool) async throws(SyncFault) {
        let now = keeper.clock.now
        let published = try await step { vault throws(SyncFailure) -> Published in
            let sync = try vault.sync
            var published = Published(former: sync.device)
            do throws(SyncFailure) {
                try sync.sealChanges(at: now)
                try sync.tidy(spool, at: now) { published.isChanged = published.isChanged || !$0.isEmpty }
            } catch { published.failure = error }
            do throws(SyncFailure) {
                try spool.renewOrder(for: sync.device)
                // Where something failed it may not be merged.
                if published.failure == nil { sync.removeFormer(from: spool) }
            } catch { published.failure = published.failure ?? error }
            published.device = sync.device
            return published
        }
        if published.isChanged { announceChange() }
        if published.isRenewed {
            findings.noteRenewal(at: now)
            warn("[AutoFill] Files were found under this machine's id that it has not written: it has a new id")
        }
        if let failure = published.failure { throw .failed(failure) }
    }

    /// What was published, also where something failed.
    private struct Published {
        let former: DeviceID?
        var device: DeviceID?
        var isChanged = false
        var failure: SyncFailure?

        init(former: DeviceID?) { self.former = former }

        var isRenewed: Bool { device != former }
    }

    /// Notifies subscribers of what was changed by other machines, or by what counts of them.
    func announceChange() { events.announce(.allCredentialsChanged, causedBy: nil) }

    /// Notes what copies of other machines have written, of each machine once a day.
    func note(_ twins: Set<TwinFiles>) {
        for device in findings.note(twins, at: keeper.clock.now) {
            warn(
                "[AutoFill] Two files of one sequence were found of the machine \(device.hexadecimal): a copy writes under "
                    + "its id")
        }
    }

    private func warn(_ message: String) {
        keeper.notify(.journal(JournalEvent(level: .warning, message: message)))
    }

    /// What work on the vault returns, with deletions by merges dated by the vault's own clock.
    ///
    /// - Parameter steady: the time of the steady clock.
    static func outcome<Value>(
        of vault: Vault, steady: Timestamp, _ body: (Vault) throws(SyncFailure) -> Value
    ) -> Result<Value, SyncFailure> {
        Result { () throws(SyncFailure) -> Value in
            try vault.sync.noteTime(steady: steady)
            return try body(vault)
        }
    }

    /// Runs one piece of work on the vault on another thread. Waits while other work has the vault, and lets those go first who have
    /// waited for the piece before.
    func step<Result: Sendable>(
        _ body: @escaping @Sendable (Vault) throws(SyncFailure) -> Result
    ) async throws(SyncFault) -> Result {
        do throws(WaitFailure) {
            try await LaterTurns.pass(on: keeper.environment.loop)
            while keeper.lease != nil { try await keeper.awaitReturn(within: .seconds(60)) }
        } catch { throw .interrupted }
        guard keeper.opened?.state == .unlocked, let lease = try? keeper.leaseWhole(for: nil) else {
            throw .interrupted
        }
        let outcome: Swift.Result<Result, SyncFailure>, steady = keeper.clock.steady
        do throws(VaultError) {
            outcome = try await keeper.run(lease, isShort: true) { lease in
                Self.outcome(of: lease.vault, steady: steady, body)
            }
        } catch { throw .failed(.vault(error)) }
        do throws(SyncFailure) { return try outcome.get() } catch { throw .failed(error) }
    }
}
