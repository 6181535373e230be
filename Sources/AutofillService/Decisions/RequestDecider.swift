// SPDX-License-Identifier: Apache-2.0
internal import AutofillPolicy
internal import AutofillProtocol
internal import CredentialStorage
internal import Reasons

/// Judges requests, waits between two judgements, and applies the decision. Whatever changed while a request waited is read
/// again: each judgement begins at its start, and nothing else runs in the middle of one, nor between it and its act.
package final class RequestDecider {
    private let vault: VaultKeeper
    private let apps: AppDirectory
    private let associations: SiteAssociations
    private let browsers: BrowserConsents
    private let policy: PolicyFacts
    private let unlocker: VaultUnlocker
    private let waiter: RequestWaiter

    init(
        _ vault: VaultKeeper, _ apps: AppDirectory, _ associations: SiteAssociations, _ browsers: BrowserConsents,
        _ policy: PolicyFacts, _ unlocker: VaultUnlocker, _ waiter: RequestWaiter
    ) {
        self.vault = vault
        self.apps = apps
        self.associations = associations
        self.browsers = browsers
        self.policy = policy
        self.unlocker = unlocker
        self.waiter = waiter
    }

    /// Judges a call once, and acts if nothing has to be waited for.
    func attempt<Call: JudgedCall>(
        _ call: Call, in area: Call.Area, _ request: RequestContext
    ) throws(Unsettled) -> Call.Answer {
        let open = try begin(request)
        defer { end(request, open) }
        do throws(Unsettled) {
            let decision = try call.judge(area.views, request.view)
            // What writes is not limited to a turn's bytes.
            open?.endTurn()
            do throws(Refusal) { return try call.act(on: decision, area.effects(for: request)) } catch {
                throw Unsettled([error])
            }
        } catch { throw withEveryReason(error, request.view) }
    }

    /// Judges a call again after each wait, until it is answered.
    ///
    /// - Parameter missing: what its first judgement waits for.
    func settle<Call: JudgedCall>(
        _ call: Call, in area: Call.Area, _ request: RequestContext, after missing: Awaited?
    ) async throws(RefusedRequest) -> Call.Answer {
        try await settle(request, after: missing) { () throws(Unsettled) in try attempt(call, in: area, request) }
    }

    /// Judges a step of long work again after each wait, until it is decided.
    package func settle<Result>(
        _ request: RequestContext, _ body: (RequestView) throws(Unsettled) -> Result
    ) async throws(RefusedRequest) -> Result {
        try await settle(request, after: nil) { () throws(Unsettled) in
            let open = try begin(request)
            defer { end(request, open) }
            do throws(Unsettled) { return try body(request.view) } catch { throw withEveryReason(error, request.view) }
        }
    }

    private func settle<Result>(
        _ request: RequestContext, after missing: Awaited?, _ attempt: () throws(Unsettled) -> Result
    ) async throws(RefusedRequest) -> Result {
        var missing = missing
        while true {
            if let awaited = missing {
                try await waiter.wait(request, for: awaited)
                // Files may have changed since the user was asked.
                if awaited.isPrompt { try await apps.identifyAgain(request.session) }
            }
            // What it waited for may have arrived in the same turn in which it was cancelled.
            if Task.isCancelled { throw RefusedRequest(.cancelled) }
            do throws(Unsettled) { return try attempt() } catch {
                switch error {
                case .refused(let refused): throw refused
                case .waits(let awaited): missing = awaited
                }
            }
        }
    }

    /// - Returns: the vault, where it is open.
    private func begin(_ request: RequestContext) throws(Unsettled) -> Vault? {
        request.session.follow(replacements: vault.replacements)
        if request.consents.proof == .lost { throw Unsettled(.proofRequired) }
        try request.session.confirmPeer()
        // One inspection is enough for a judgement.
        request.state.isPeerConfirmed = true
        request.notes.reset()
        let open = vault.opened
        open?.beginTurn(endsPages: request.method.answersPage)
        return open
    }

    private func end(_ request: RequestContext, _ open: Vault?) {
        open?.endTurn()
        request.state.isPeerConfirmed = false
        for followUp in request.notes.followUps {
            switch followUp {
            case .fetch(let query, let app): associations.requestFetch(query, for: app)
            case .count(let site, let key): browsers.count(site, key)
            }
        }
    }

    /// A vault that is not open hides no other reason: where an app could not be served with an open vault either, those are listed
    /// before it. Else a locked one is waited for.
    private func withEveryReason(_ error: Unsettled, _ request: RequestView) -> Unsettled {
        unlocker.waitingForUnlock(withOtherReasons(error, request), request)
    }

    private func withOtherReasons(_ error: Unsettled, _ request: RequestView) -> Unsettled {
        let row = request.method.declaration
        guard let refusals = error.refusals, row.needsIdentity, row.needsUnlockedVault, !request.bringsProof,
            let closed = vault.refusal, error.isOnly(closed.reason)
        else { return error }
        let purpose: Examination.Purpose = row.needsAssociation ? .save : .keychainItem
        let site = row.needsAssociation ? apps.unnamedSite(request.app) : .unnamed
        let facts = policy.facts(for: request, site: site)
        let others = Examination(of: facts, for: purpose).refusals.filter { $0.reason != closed.reason }
        let isRegistered = row.needsRegistration || others.contains { $0.reason == .identityMismatch }
        return others.isEmpty || !isRegistered ? error : Unsettled(others + refusals)
    }
}

extension Method {
    /// Whether its answer is a page of the vault, with a cursor for what does not fit.
    fileprivate var answersPage: Bool {
        switch self {
        case .credentialList, .keychainSearch, .offerList, .grantList, .releaseList, .exportRead: true
        default: false
        }
    }
}
