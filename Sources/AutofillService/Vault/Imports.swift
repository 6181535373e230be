// SPDX-License-Identifier: Apache-2.0
internal import AutofillProtocol
package import CredentialStorage
internal import Credentials
internal import EventLoop
package import Reasons
internal import Settings

/// The import that a connection has begun: one at a time in the whole daemon. It ends with its connection, with a lock, and with the
/// vault that it was begun in.
package final class Imports {
    private let keeper: VaultKeeper
    private let care: VaultCare
    private let events: EventHub
    private let settings: SettingsInForce
    private weak var current: ImportStaging?
    /// Entries that are compared in one lease of the vault, for which other requests wait: some 30 ms.
    private static let reviewedAtOnce = 1000

    package init(_ keeper: VaultKeeper, _ care: VaultCare, _ events: EventHub, _ settings: SettingsInForce) {
        (self.keeper, self.care, self.events, self.settings) = (keeper, care, events, settings)
    }

    package func requireOpenVault() throws(Unsettled) { _ = try keeper.unlocked() }

    /// The limits of an import and of the credentials that it makes.
    package static let limits = ImportLimits(
        entries: Limits.importEntries, bytes: Limits.importBytes, userBytes: Limits.userBytes,
        notesBytes: Limits.notesBytes, tags: Limits.tags, fields: Limits.customFields,
        fieldNameBytes: Limits.customNameBytes, services: Limits.servicesPerCredential,
        passkeys: Limits.passkeysPerCredential)

    /// Whether another import may begin: none is committed or compared now.
    package func requireNoWork() throws(Unsettled) {
        if current?.state == .busy { throw Unsettled([.vaultBusy]) }
    }

    /// Begins an import; another one is discarded.
    package func begin(_ request: RequestContext) {
        current?.discard()
        let staging = ImportStaging(limits: Self.limits)
        request.session.memory.staging = staging
        current = staging
    }

    /// The import of a connection, which no other thread works on.
    package func staging(_ request: RequestView) throws(Unsettled) -> ImportStaging {
        let staging = try present(request)
        if staging.state == .busy { throw Unsettled([.vaultBusy]) }
        return staging
    }

    /// The import of a connection; throws where it has none, or not that of before any more.
    private func present(
        _ request: RequestView, still former: ImportStaging? = nil
    ) throws(Unsettled) -> ImportStaging {
        try requireOpenVault()
        guard let staging = request.staging, staging.state != .discarded, former == nil || former === staging else {
            throw .invalid(
                "entries", because: "This connection has no import, or another one was begun since.",
                fix: "Begin with admin.import.begin")
        }
        return staging
    }

    /// Adds entries; how many there are then.
    package func add(_ entries: [ImportEntry], _ request: RequestContext) throws(Refusal) -> Int {
        guard let staging = request.session.memory.staging else { throw Refusal(.internalFault) }
        do throws(VaultError) { try staging.add(entries) } catch { throw error.refusal }
        return staging.count
    }

    // MARK: - Work on another thread

    /// Compares all entries with the vault, while others use it between its steps.
    ///
    /// - Returns: the counts, and the lines behind the first `offset` of them.
    package func review(
        after offset: Int, limit: Int, _ request: RequestContext
    ) async throws(RefusedRequest) -> (counts: ImportCounts, rows: [ImportRow], next: Int?) {
        let staging = try await idle(request)
        staging.setBusy(true)
        defer { staging.setBusy(false) }
        while !staging.isReviewed {
            // Those who have waited for the step before go first.
            do throws(WaitFailure) { try await LaterTurns.pass(on: keeper.environment.loop) } catch {
                throw error.refused(.vaultBusy)
            }
            try await work(on: staging, request) { vault, progress throws(VaultError) in
                try vault.readers.imports.review(staging, limit: Self.reviewedAtOnce, progress)
            }
        }
        do throws(VaultError) {
            let page = try staging.rows(after: offset, limit: limit)
            return (staging.counts, page.rows, page.next)
        } catch {
            throw RefusedRequest([error.refusal])
        }
    }

    /// Backs the vault up and saves all entries in one transaction.
    package func commit(
        _ rule: ImportRule, choices: [Int: ImportRule], _ request: RequestContext
    ) async throws(RefusedRequest) -> (report: ImportReport, backup: String?) {
        let staging = try await idle(request)
        staging.setBusy(true)
        defer { staging.setBusy(false) }
        let backup = try await backUp(before: staging, request)
        let (now, steady) = (keeper.clock.now, keeper.clock.steady)
        let writer = request.view.administrator
        let report = try await work(on: staging, request) { vault, progress throws(VaultError) in
            try vault.writers.imports.commit(
                staging, rule, choices: choices, by: writer, at: now, steady: steady, progress)
        }
        request.session.memory.staging = nil
        // Where no other backups are made, those of imports would stay for ever. Those from before a damage must not go.
        if keeper.findingCount == 0 {
            let count = max(1, settings.effective.automaticBackups)
            keeper.logging("old backups could not be removed") { () throws(VaultError) in
                try keeper.opened?.backups.removeOld(keeping: count)
            }
        }
        let text = "\(report.added) credentials were added by an import, \(report.changed) were changed"
        noteChange(text, isAny: report.added + report.changed > 0, request)
        return (report, backup)
    }

    private func backUp(
        before staging: ImportStaging, _ request: RequestContext
    ) async throws(RefusedRequest) -> String? {
        let path = try await work(on: staging, request, refusing: \.refusalOfBackup) { vault, _ throws(VaultError) in
            try vault.backups.freshPath()
        }
        guard let path else { return nil }
        return try await care.backUp(to: path, request).path
    }

    /// Reverts the last import; nil where there is none to revert.
    package func revert(_ request: RequestContext) async throws(RefusedRequest) -> RevertedImport? {
        let (now, steady) = (keeper.clock.now, keeper.clock.steady)
        let reverted = try await care.workInSteps(request) { vault, progress throws(VaultError) in
            try vault.writers.imports.revert(at: now, steady: steady, progress)
        }
        if let reverted {
            let text = "An import was reverted: \(reverted.removed) credentials deleted, \(reverted.restored) restored"
            noteChange(text, isAny: reverted.removed + reverted.restored > 0, request)
        }
        return reverted
    }

    /// A step of work on an import with the whole vault; refused where the import has ended while the step waited for the vault.
    private func work<Result: Sendable>(
        on staging: ImportStaging, _ request: RequestContext, refusing refusal: (VaultError) -> Refusal = \.refusal,
        _ body: @escaping @Sendable (Vault, VaultProgress) throws(VaultError) -> Result
    ) async throws(RefusedRequest) -> Result {
        try await care.work(request, refusing: refusal) { () throws(Unsettled) in
            _ = try present(request.view, still: staging)
            return try keeper.leaseWhole(for: request.method)
        } _: { lease throws(VaultError) in
            try body(lease.vault, lease.progress)
        }
    }

    private func idle(_ request: RequestContext) async throws(RefusedRequest) -> ImportStaging {
        try await care.decider.settle(request) { view throws(Unsettled) in try staging(view) }
    }

    /// One event and one entry of the journal, however many credentials there are.
    private func noteChange(_ text: String, isAny: Bool, _ request: RequestContext) {
        keeper.notify(.journal(JournalEvent(level: .info, message: "[AutoFill] \(text)")))
        if isAny { events.announce(.allCredentialsChanged, causedBy: request) }
    }
}
