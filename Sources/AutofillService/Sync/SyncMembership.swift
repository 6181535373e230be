// SPDX-License-Identifier: Apache-2.0
package import AutofillProtocol
internal import CredentialStorage
internal import Credentials
internal import EventLoop
internal import Reasons
package import SecretMemory
internal import Settings
internal import SyncFiles
internal import SyncMerge

/// What the user decides about sync: who belongs to the group, and what counts.
package final class SyncMembership {
    package let exchange: SyncExchange
    let care: VaultCare
    let audit: Audit

    package init(_ exchange: SyncExchange, _ care: VaultCare, _ audit: Audit) {
        (self.exchange, self.care, self.audit) = (exchange, care, audit)
    }

    var clock: ServiceClock { care.clock }

    /// How long the carrier may take to bring everything.
    private static let longestRound = Duration.seconds(300)

    // MARK: - Beginning

    /// Founds a group, of which this machine is the first.
    ///
    /// - Returns: the id of this machine, and the recovery key, which nothing stores.
    package func start(
        at location: SyncLocation, named name: String, _ request: RequestContext
    ) async throws(RefusedRequest) -> (device: String, recoveryKey: SecretBytes) {
        let spool = try requireSpool(for: location)
        try requireNotJoining()
        exchange.noteBeginning()
        defer { exchange.noteBegun() }
        let now = clock.now
        let (device, key) = try await work(request) { vault throws(SyncFailure) in
            guard try !vault.sync.isStarted else { throw .started }
            // Where it cannot be written nothing is started.
            try spool.write(CarrierOrder(location: location, group: nil, device: nil))
            let key = try SyncFounding.found(in: vault, deviceName: name, at: now)
            let sync = try vault.sync
            guard let device = sync.device, let group = sync.members?.group else { throw .notStarted }
            do throws(SyncFailure) {
                try spool.write(CarrierOrder(location: location, group: group.hexadecimal, device: device.hexadecimal))
            } catch {
                // Nobody would ever see the recovery key.
                try sync.stop(at: now)
                throw error
            }
            return (device, key)
        }
        log("Sync was started on this machine")
        exchange.exchangeNow()
        return (device.hexadecimal, key.grouped)
    }

    /// Asks to be let in by the machine that has invited this one.
    package func join(
        at location: SyncLocation, code: SecretBytes, named name: String, _ request: RequestContext
    ) async throws(RefusedRequest) {
        let spool = try requireSpool(for: location)
        exchange.noteBeginning()
        defer { exchange.noteBegun() }
        let steady = clock.steady
        let joining = try await work(request) { vault throws(SyncFailure) in
            guard try !vault.sync.isStarted else { throw .started }
            let joining: SyncJoining
            do throws(InvitationError) {
                joining = try SyncJoining(code: code, deviceName: name, in: vault, now: steady)
            } catch { throw .invitation(error) }
            spool.clearReceived()
            try spool.write(CarrierOrder(location: location, group: nil, device: nil))
            return joining
        }
        try await awaitVault()
        // All that is saved here is given to the machines of the group.
        do throws(Refusal) { try audit.releaseAll(to: "the machines of a group", request) } catch {
            spool.removeOrder()
            throw RefusedRequest([error])
        }
        exchange.joining = joining
        log("This machine waits to be let into sync")
        exchange.exchangeNow()
    }

    // MARK: - Changing

    /// Gives this machine another name: its next snapshot has it.
    ///
    /// - Returns: whether it is another one.
    package func rename(to name: String, _ request: RequestContext) async throws(RefusedRequest) -> Bool {
        let now = clock.now
        let isOther = try await work(request) { vault throws(SyncFailure) in
            let sync = try vault.sync
            guard sync.isStarted else { throw .notStarted }
            guard sync.name != name else { return false }
            try sync.rename(to: name, at: now)
            return true
        }
        if isOther { exchange.exchangeNow() }
        return isOther
    }

    // MARK: - Ending

    /// Removes a machine; what it writes from now on does not count.
    package func remove(
        _ device: String, recoveryKey typed: SecretBytes?, _ request: RequestContext
    ) async throws(RefusedRequest) {
        guard let device = DeviceID(device) else { throw .invalid("device", "the id of a machine") }
        let now = clock.now
        let saved = try await work(request) { vault throws(SyncFailure) -> [Saved] in
            guard try vault.sync.isStarted else { throw .notStarted }
            let remover = try typed.map { typed throws(SyncFailure) in
                try StoredSync.Remover.recoveryKey(typed: typed)
            }
            return try vault.sync.remove(device, by: remover ?? .thisDevice, at: now)
        }
        if !saved.isEmpty { exchange.announceChange() }
        log("A machine was removed from sync")
        exchange.exchangeNow()
    }

    /// Ends sync on this machine, or its attempt to be let in, also where that is not in memory any more. What is saved stays.
    ///
    /// - Returns: whether there was any.
    package func stop(_ request: RequestContext) async throws(RefusedRequest) -> Bool {
        let wasJoining = exchange.joining != nil
        exchange.joining = nil
        let now = clock.now
        let wasStarted = try await work(request) { vault throws(SyncFailure) in
            guard try vault.sync.isStarted else { return false }
            try vault.sync.stop(at: now)
            return true
        }
        // Another connection's join may have begun while this waited for the vault.
        exchange.joining = nil
        let wasOrdered = exchange.spool?.order != nil
        if let spool = exchange.spool { exchange.end(spool) }
        guard wasStarted || wasJoining || wasOrdered else { return false }
        log("Sync was stopped on this machine")
        return true
    }

    /// Decides what counts after a restore.
    ///
    /// - Parameter acceptsMissing: whether this vault counts though files are missing that another machine has.
    /// - Returns: whether there was something to decide.
    package func resume(
        _ side: SyncResume.Side, acceptingMissing acceptsMissing: Bool, _ request: RequestContext
    ) async throws(RefusedRequest) -> Bool {
        let (spool, now) = (try requireSpool(), clock.now)
        let isUndecided = try await work(request) { vault throws(SyncFailure) in
            guard try vault.sync.isStarted else { throw .notStarted }
            return try vault.sync.isRestored
        }
        guard isUndecided else { return false }
        // The id of this machine is a new one.
        let token = try await orderAll(spool, request)
        switch side {
        case .others: try await work(request) { vault throws(SyncFailure) in try vault.sync.join(at: now) }
        case .vault:
            try await bringAll(spool, for: token)
            let saved = try await work(request) { vault throws(SyncFailure) -> [Saved] in
                let sync = try vault.sync
                guard let group = sync.members?.group else { throw .notStarted }
                let files = spool.allReceived(in: group) + sync.formerFiles(in: spool)
                return try sync.win(over: files, acceptingMissing: acceptsMissing, at: now)
            }
            if !saved.isEmpty { exchange.announceChange() }
        }
        exchange.exchangeNow()
        return true
    }

    /// Has the carrier bring everything again; the token of that order.
    private func orderAll(_ spool: SyncSpool, _ request: RequestContext) async throws(RefusedRequest) -> String {
        try await work(request) { vault throws(SyncFailure) in
            let sync = try vault.sync
            guard let group = sync.members?.group, let device = sync.device else { throw .notStarted }
            guard let former = spool.carrierOrder else { throw .notOrdered }
            var entropy = SystemEntropy()
            let token = UInt128.random(in: 0...UInt128.max, using: &entropy).hexadecimal
            spool.clearReceived()
            try spool.write(
                CarrierOrder(
                    location: former.location, group: group.hexadecimal, device: device.hexadecimal, token: token))
            return token
        }
    }

    /// Waits until the carrier has made a round for the order with this token: then all that is at the location was brought.
    private func bringAll(_ spool: SyncSpool, for token: String) async throws(RefusedRequest) {
        let deadline = care.keeper.environment.loop.clocks.monotonic() + Self.longestRound
        while true {
            if let report = spool.carrierReport, report.token == token {
                guard let problem = report.problem else { return }
                throw RefusedRequest(.syncIncomplete, [.detail: problem.text(report.detail)])
            }
            do throws(WaitFailure) { try await exchange.awaitReport(until: deadline) } catch {
                throw RefusedRequest(
                    .syncIncomplete, [.detail: "autofill-sync does not answer: systemctl --user status autofill-sync"])
            }
        }
    }

    // MARK: - Common

    func requireSpool(for location: SyncLocation? = nil) throws(RefusedRequest) -> SyncSpool {
        if let refusal = care.keeper.refusal { throw RefusedRequest([refusal]) }
        guard let spool = exchange.spool else {
            throw .invalid(
                "location", because: "A vault in memory is not synced.", fix: "Use a vault that is kept on the disk")
        }
        switch location {
        case .folder(let path)? where !path.hasPrefix("/"): throw .invalid("location.path", "an absolute path")
        case .git(let url)? where (try? GitLocation(url)) == nil:
            throw .invalid("location.url", "an absolute path, HOST:PATH, or a URL without a password")
        default: break
        }
        return spool
    }

    private func requireNotJoining() throws(RefusedRequest) {
        if exchange.joining != nil { throw RefusedRequest(.syncOn) }
    }

    func work<Result: Sendable>(
        _ request: RequestContext, _ body: @escaping @Sendable (Vault) throws(SyncFailure) -> Result
    ) async throws(RefusedRequest) -> Result {
        let steady = clock.steady
        let outcome = try await care.workUnlocked(request) { SyncExchange.outcome(of: $0, steady: steady, body) }
        do throws(SyncFailure) { return try outcome.get() } catch { throw RefusedRequest([error.refusal]) }
    }

    /// Waits while other work has the vault: the release log is written in the turn in which this returns.
    func awaitVault() async throws(RefusedRequest) {
        while care.keeper.lease != nil {
            do throws(WaitFailure) { try await care.keeper.awaitReturn(within: .seconds(60)) } catch {
                throw error.refused(.vaultBusy)
            }
        }
    }

    func log(_ text: String) {
        care.keeper.notify(.journal(JournalEvent(level: .info, message: "[AutoFill] \(text)")))
    }
}
