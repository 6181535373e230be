// SPDX-License-Identifier: Apache-2.0
internal import AssociatedDomains
internal import AutofillPolicy
internal import AutofillProtocol
internal import ConfigurationFiles
internal import CredentialStorage
internal import Credentials
internal import EventLoop
internal import PeerIdentity
internal import Prompting
internal import Reasons
internal import Settings

/// When the person is asked about an app, and when a site is.
extension Authoriser {
    /// Has the site asked whose word is missing; throws that wait where the request may wait for it.
    func askSite(
        _ request: RequestContext, _ site: AutofillFacts.Site, _ examination: Examination, mayWait: Bool
    ) throws(RefusedRequest) {
        guard examination.refusals.contains(where: { $0.reason == .siteNotFetched }),
            let registration = apps.registration(of: request.session),
            case .domain(let domain) = site, let name = try? DomainName(domain),
            let entry = registration.answers(for: name)
        else { return }
        let query = AssociationQuery(entry, of: registration)
        // What fails for other reasons need not wait.
        let isAlone = examination.refusals.allSatisfy { $0.reason == .siteNotFetched }
        guard mayWait, isAlone else { return associations.requestFetch(query, for: registration.bundleID) }
        throw .waits(on: .association(query, registration.bundleID))
    }

    /// Throws what has the person asked for their word, where that alone is wanting: the site could not be asked, or the
    /// registration is a developer's. Against what a site says it takes `autofillctl domain approve`.
    func askApproval(
        _ request: RequestContext, _ site: AutofillFacts.Site, _ examination: Examination
    ) throws(RefusedRequest) {
        guard request.interaction == .allow, case .domain(let domain) = site, examination.refusals.count == 1,
            let refusal = examination.refusals.first,
            refusal.reason == .approvalMissing || refusal.reason == .siteFetchFailed
        else { return }
        throw try asking(
            .approval, request, Service(kind: .domain, value: domain), detail: refusal.parameters[.detail] ?? "",
            unasked: refusal)
    }

    /// What a request gets for which the person has to be asked about an app: it waits, or a reason.
    ///
    /// - Parameters:
    ///   - owner: whom the word is given to; nil for whom the client is to the vault.
    ///   - detail: why it has to be asked, where that is not plain.
    ///   - unasked: what it gets where nobody can be asked.
    func asking(
        _ matter: ConsentQuestion.Matter, _ request: RequestContext, _ service: Service, of owner: Subject? = nil,
        detail: String = "", unasked: Refusal
    ) throws(RefusedRequest) -> RefusedRequest {
        guard prompts.canConfirm else { return RefusedRequest([unasked]) }
        let subject = if let owner { owner } else { try request.session.subject() }
        let page = page(of: matter, subject, service, request)
        let question = ConsentQuestion(
            matter: matter, subject: subject, service: service, memory: memory(of: matter, subject, page),
            detail: detail,
            evidence: evidence(of: request.session), page: page, unasked: unasked)
        if let wait = prompts.denials.remaining(of: .consent(question), at: clock.steady.milliseconds) {
            return RefusedRequest([Refusal(.consentDenied, question.names, retryAfterMilliseconds: wait)])
        }
        return .waits(on: .consent(question))
    }

    /// For how long a yes can be remembered, in words.
    private func memory(of matter: ConsentQuestion.Matter, _ subject: Subject, _ page: PromptedPage) -> String? {
        switch matter {
        case .save, .saveFor, .fillOne(_, isGranted: true): nil
        case .approval: "from now on"
        case .fill where settings.asksEveryTime || Peer.isPassing(subject.executable),
            .read where settings.asksEveryTime || Peer.isPassing(subject.executable),
            .fillOne where settings.asksEveryTime || Peer.isPassing(subject.executable),
            .own where settings.asksEveryTime || Peer.isPassing(subject.executable):
            nil
        case .fill, .fillOne, .own, .read:
            page.word != nil || GrantSubject.isOfLogin(line: subject.executable) ? "until you log out" : "from now on"
        }
    }

    private func page(
        of matter: ConsentQuestion.Matter, _ subject: Subject, _ service: Service, _ request: RequestContext
    ) -> PromptedPage {
        var page = PromptedPage(
            top: apps.foreignTop(of: service, request), window: request.place.page.parentWindow, word: nil)
        if matter.kind == .fill, service.kind != .keychain { page.word = browserWord(request.session, subject) }
        return page
    }

    /// To whom a word for all web sites would be given; nil where it is given site by site.
    func browserWord(_ session: Session, _ subject: Subject) -> BrowserWords.Key? {
        guard settings.effective.askInBrowser == .once, apps.isBrowser(session) else { return nil }
        return BrowserWords.Key(
            subject: subject, login: session.peer.evidence.login, replacements: vault.replacements)
    }

    func evidence(of session: Session) -> PromptedEvidence {
        PromptedEvidence(
            name: apps.registration(of: session)?.name.text, bundleID: session.app?.bundleID.text ?? "",
            assurance: (try? session.app?.identity.get())?.assurance, peer: session.peer.evidence,
            script: session.peer.script, starter: session.peer.starter,
            spokesman: session.app?.spokesman)
    }

    /// Waits for the person's answer to a question, which all ask that ask the same; what it allows this request.
    func awaitConsent(
        _ question: ConsentQuestion, of asker: PromptShares.Asker, within limit: Duration
    ) async throws(RefusedRequest) -> Allowance {
        let replacements = vault.replacements
        let outcome = try await prompts.ask(question, of: asker, within: limit) { [weak self] answer in
            self?.conclude(question, answer, shownAt: replacements) ?? .refused([Refusal(.stopping)])
        }
        switch outcome {
        case .allowed(let account):
            var allowance = question.allowance
            allowance.account = account
            return allowance
        case .refused(let refusals): throw RefusedRequest(refusals)
        // The person's word could not be kept where the vault is away for the moment, or is another: judged anew.
        case .unkept: throw .waits(on: .vaultWork)
        }
    }

    /// What the person's answer comes to, for all who wait for it.
    ///
    /// - Parameter replacements: how often another vault had taken this one's place when it was asked for.
    private func conclude(
        _ question: ConsentQuestion, _ answer: ConsentAnswer?, shownAt replacements: Int
    ) -> PromptDesk.ConsentOutcome {
        do throws(RefusedRequest) {
            switch answer {
            case nil: return .refused([question.unasked])
            case .once where vault.replacements != replacements, .allow where vault.replacements != replacements:
                return .unkept
            case .once:
                prompts.denials.forget { $0 == .consent(question) }
                return .allowed(nil)
            case .allow:
                prompts.denials.forget { $0 == .consent(question) }
                try remember(.allow, question)
                return .allowed(nil)
            case .deny:
                let wait = prompts.denials.note(.consent(question), at: clock.steady.milliseconds)
                return .refused([Refusal(.consentDenied, question.names, retryAfterMilliseconds: wait)])
            case .never:
                try remember(.deny, question)
                return .refused([Refusal(question.refusalForGood, question.names)])
            }
        } catch {
            switch error {
            case .refused(let refusals): return .refused(refusals)
            case .waits: return .unkept
            case .malformed: return .refused([Refusal(.internalFault)])
            }
        }
    }

    private func remember(_ decision: Grant.Decision, _ question: ConsentQuestion) throws(RefusedRequest) {
        switch question.matter {
        case .fill where decision == .allow && settings.asksEveryTime,
            .read where decision == .allow && settings.asksEveryTime,
            .fillOne where decision == .allow && settings.asksEveryTime,
            .own where decision == .allow && settings.asksEveryTime:
            break
        case .fill where decision == .allow && question.page.word != nil,
            .fillOne where decision == .allow && question.page.word != nil:
            guard let key = question.page.word else { return }
            var entropy = surroundings.entropy
            revision.advance()
            browserWords.give(key, id: .random(.grant, using: &entropy), at: clock.now)
        case .fill, .fillOne, .own: try remember(decision, question.subject, question.service)
        case .read(let items):
            for grant in items.grants { try remember(decision, question.subject, grant) }
        case .save, .saveFor: if decision == .deny { try neverSave(of: question.subject) }
        case .approval:
            guard let app = try? BundleIdentifier(question.subject.app) else { return }
            try associations.decide(
                DomainDecision(decision == .allow ? .approve : .deny, at: clock.now), app, question.service.value,
                causedBy: nil)
        }
    }

    /// Keeps the person's word in the vault.
    private func remember(
        _ decision: Grant.Decision, _ subject: Subject, _ service: Service
    ) throws(RefusedRequest) {
        // Without anything to know the program by again, the word holds for this time only.
        guard !Peer.isPassing(subject.executable) else { return }
        var entropy = surroundings.entropy
        let grant = Grant(
            id: .random(.grant, using: &entropy), subject: subject, service: service, decision: decision,
            created: clock.now, origin: "prompt")
        let open = try vault.unlocked()
        revision.advance()
        _ = try attempting { () throws(VaultError) in try open.writers.grants.put(grant) }
    }
}

extension ConsentQuestion {
    /// What a request gets where the person's no is remembered.
    fileprivate var refusalForGood: Reason {
        switch matter {
        case .fill, .fillOne, .own, .read: .grantDenied
        case .save, .saveFor: .saveDisabled
        case .approval: .approvalDenied
        }
    }
}
