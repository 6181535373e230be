// SPDX-License-Identifier: Apache-2.0
internal import AssociatedDomains
internal import CredentialStorage
internal import Credentials
internal import EventLoop
internal import PeerIdentity
internal import Prompting
internal import Reasons
internal import SecretMemory

/// Asks the user about apps, and keeps the answers. The engine calls it; what decides only reads.
package final class ConsentRecorder {
    private let prompts: PromptQueue
    private let vault: VaultKeeper
    private let settings: SettingsInForce
    private let browsers: BrowserConsents
    private let associations: SiteAssociations

    init(
        _ prompts: PromptQueue, _ vault: VaultKeeper, _ settings: SettingsInForce, _ browsers: BrowserConsents,
        _ associations: SiteAssociations
    ) {
        self.prompts = prompts
        self.vault = vault
        self.settings = settings
        self.browsers = browsers
        self.associations = associations
    }

    /// Waits for the user's answer to a question, which all ask that ask the same; what it allows this request. nil where it could
    /// not be kept, since the vault is another or was away: the request is judged again. In a vault that was locked meanwhile nothing is
    /// remembered: a yes is for this time.
    func ask(
        _ question: ConsentQuestion, of requester: PromptQuotas.Requester, within limit: Duration
    ) async throws(RefusedRequest) -> Allowance? {
        let replacements = vault.replacements
        let outcome = try await prompts.ask(
            question, of: requester, within: limit,
            vaultReturn: { await self.vaultReturn(limit) }
        ) { [weak self] answer in
            self?.conclude(question, answer, shownAt: replacements) ?? .refused([Refusal(.stopping)])
        }
        switch outcome {
        case .allowed(let account):
            var allowance = question.allowance
            allowance.account = account
            return allowance
        case .refused(let refusals): throw RefusedRequest(refusals)
        case .unkept, .away: return nil
        }
    }

    /// Waits until the vault is here again; false where that takes too long, or it is not unlocked then.
    private func vaultReturn(_ limit: Duration) async -> Bool {
        do throws(WaitFailure) { try await vault.awaitReturn(within: limit) } catch { return false }
        return vault.isAway || vault.opened?.state == .unlocked
    }

    /// The remembered decisions, for administration.
    package var records: GrantRecords { GrantRecords(vault, settings, browsers) }

    func revokeBrowserConsent(_ id: ObjectID) -> Bool { browsers.revoke(id) }

    func forgetDenials(of app: String) {
        prompts.denials.forget { question in
            switch question {
            // Of undistinguished programs the app is not recorded.
            case .consent(_, let subject): subject.app == app || subject.app.isEmpty
            case .file(_, let isUnlock): !isUnlock
            case .approval, .unlock: false
            }
        }
    }

    /// The outcome of the user's answer, for all who wait for it.
    ///
    /// - Parameter replacements: how often another vault had replaced this one when the question was asked.
    private func conclude(
        _ question: ConsentQuestion, _ answer: ConsentAnswer?, shownAt replacements: Int
    ) -> PromptQueue.ConsentOutcome {
        do throws(Refusal) {
            switch answer {
            case nil: return .refused([question.unasked])
            case .once, .login, .allow:
                if vault.replacements != replacements { return .unkept }
                prompts.denials.forget(Denials.Key(question))
                let (login, always) = (question.grantees.untilLogout, question.grantees.always)
                let grantee = answer == .login ? login : answer == .allow ? always ?? login : nil
                if let grantee { try remember(.allow, question, of: grantee) }
                return .allowed(nil)
            case .deny: return deny(question)
            case .never:
                let subject = question.subject
                try remember(
                    .deny, question,
                    of: GrantSubject.isOfLogin(line: subject.executable) ? subject.ofAnyProgram : subject)
                return .refused([Refusal(question.refusalForGood, question.names)])
            }
        } catch {
            switch error.reason {
            // It was locked meanwhile, and keeps nothing: the answer holds for this time.
            case .vaultLocked: return answer == .never ? deny(question) : .allowed(nil)
            case .vaultBusy where vault.isAway: return .away
            default: return .refused([error])
            }
        }
    }

    private func deny(_ question: ConsentQuestion) -> PromptQueue.ConsentOutcome {
        let wait = prompts.denials.note(Denials.Key(question), at: vault.clock.steady.milliseconds)
        return .refused([Refusal(.consentDenied, question.names, retryAfterMilliseconds: wait)])
    }

    /// - Parameter grantee: the subject of the grant, where the decision makes one.
    private func remember(
        _ decision: Grant.Decision, _ question: ConsentQuestion, of grantee: Subject
    ) throws(Refusal) {
        switch question.matter {
        case .fill where decision == .allow && settings.asksEveryTime,
            .read where decision == .allow && settings.asksEveryTime,
            .fillOne where decision == .allow && settings.asksEveryTime,
            .own where decision == .allow && settings.asksEveryTime:
            break
        case .fill where decision == .allow && question.page.consent != nil,
            .fillOne where decision == .allow && question.page.consent != nil:
            if let key = question.page.consent { browsers.give(key) }
        case .fill, .fillOne, .own: try remember(decision, grantee, question.service)
        case .read(let items):
            for grant in items.grants { try remember(decision, grantee, grant) }
        // Nothing more of this app is to be saved, whichever program it is.
        case .save, .saveFor: if decision == .deny { try remember(.deny, question.subject.ofAnyProgram, .every) }
        case .approval:
            guard let app = try? BundleIdentifier(question.subject.app) else { return }
            try associations.decide(
                DomainDecision(decision == .allow ? .approve : .deny, at: vault.clock.now), app, question.service.value,
                causedBy: nil)
        }
    }

    private func remember(_ decision: Grant.Decision, _ subject: Subject, _ service: Service) throws(Refusal) {
        // Of a program that could not be identified again the decision is for this time only.
        guard !Peer.isPassing(subject.executable) else { return }
        var entropy = vault.environment.entropy
        let id = ObjectID.random(.grant, using: &entropy)
        _ = try vault.write { writers, now throws(VaultError) in
            try writers.grants.put(
                Grant(id: id, subject: subject, service: service, decision: decision, created: now, origin: "prompt"))
        }
        vault.environment.revision.advance()
    }
}

extension ConsentQuestion {
    /// What a request gets where the user's no is remembered.
    fileprivate var refusalForGood: Reason {
        switch matter {
        case .fill, .fillOne, .own, .read: .grantDenied
        case .save, .saveFor: .saveDisabled
        case .approval: .approvalDenied
        }
    }
}
