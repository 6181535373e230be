// SPDX-License-Identifier: Apache-2.0
internal import AssociatedDomains
internal import AutofillPolicy
internal import AutofillProtocol
internal import Credentials
internal import PeerIdentity
internal import Reasons

/// When the user is asked about an app, and what is asked.
struct ConsentQuestions {
    private let prompts: PromptQueue
    private let grants: GrantReader
    private let apps: AppDirectory
    private let settings: SettingsInForce

    init(_ prompts: PromptQueue, _ grants: GrantReader, _ apps: AppDirectory, _ settings: SettingsInForce) {
        (self.prompts, self.grants, self.apps, self.settings) = (prompts, grants, apps, settings)
    }

    /// What a request gets for which the user has to be asked about an app: it waits, or a reason.
    ///
    /// - Parameters:
    ///   - owner: the subject that receives consent; nil for the client as the vault knows it.
    ///   - item: the keychain item that is asked for.
    ///   - ownName: what of its own the app asks for, as it is shown.
    ///   - detail: why it has to be asked, where that is not plain.
    ///   - unasked: what it gets where nobody can be asked.
    func asking(
        _ matter: ConsentQuestion.Matter, _ request: RequestView, _ service: Service, of owner: Subject? = nil,
        item: ObjectID? = nil, ownName: String = "", detail: String = "", unasked: Refusal
    ) throws(Unsettled) -> Unsettled {
        guard prompts.canConfirm else { return Unsettled([unasked]) }
        let subject = if let owner { owner } else { try request.subject() }
        let page = page(of: matter, subject, service, request)
        let grantees = grantees(of: matter, subject, page, request)
        let isPassing = Peer.isPassing((grantees.owner ?? subject).executable)
        let question = ConsentQuestion(
            matter: matter, subject: subject, service: service, grantees: grantees, detail: detail,
            evidence: evidence(of: request), page: page, ownName: ownName, item: item,
            program: isPassing ? request.peer.undistinguished : nil, unasked: unasked)
        if let wait = prompts.remaining(of: Denials.Key(question)) {
            return Unsettled([Refusal(.consentDenied, question.names, retryAfterMilliseconds: wait)])
        }
        return .waits(for: .consent(question))
    }

    /// To what a remembered yes is given.
    private func grantees(
        of matter: ConsentQuestion.Matter, _ subject: Subject, _ page: PromptedPage, _ request: RequestView
    ) -> Grantees {
        switch matter {
        case .save, .saveFor, .fillOne(_, isGranted: true): return Grantees()
        case .approval: return Grantees(always: subject)
        case .fill, .fillOne, .own, .read:
            guard let grantees = request.app?.grantees else { return Grantees() }
            if settings.asksEveryTime { return grantees.ofOneTime }
            if page.consent != nil { return Grantees(untilLogout: subject) }
            return matter.kind == .own ? grantees.ofOwner(subject) : grantees.ofQuestion
        }
    }

    private func page(
        of matter: ConsentQuestion.Matter, _ subject: Subject, _ service: Service, _ request: RequestView
    ) -> PromptedPage {
        var page = PromptedPage(top: apps.foreignTop(of: service, request), window: request.page.parentWindow)
        if matter.kind == .fill, service.kind != .keychain { page.consent = grants.browserConsent(subject, request) }
        return page
    }

    func evidence(of request: RequestView) -> PromptedEvidence {
        let (app, peer) = (request.app, request.peer)
        return PromptedEvidence(
            name: apps.registration(of: app)?.name.text, bundleID: app?.bundleID.text ?? "",
            assurance: (try? app?.identity.get())?.assurance, peer: peer.evidence, script: peer.script,
            starter: peer.starter, delegate: app?.delegate)
    }
}
