// SPDX-License-Identifier: Apache-2.0
internal import AutofillPolicy
internal import AutofillProtocol
internal import AutofillService
internal import CredentialStorage
internal import Credentials
internal import Reasons
internal import SecretMemory

/// Saves what the user typed, as far as it is worth keeping.
extension AutofillConfirm: JudgedCall {
    typealias Area = OfferMethods

    struct Decision: Sendable {
        let service: Service
        let outcome: Outcome
    }

    enum Outcome: Sendable {
        case nothing
        /// The password is that of an offer.
        case accept(OfferAcceptance, isNew: Bool)
        case unchanged(ObjectID)
        case save(CredentialDraft)
    }

    /// What the site accepted.
    private struct Submission {
        let service: Service
        /// Where it was typed.
        let page: Service
        /// The client's name for the form.
        let form: String?
        let user: String
        let password: SecretBytes
        /// Whether the user has just picked the account that it is for.
        let isPicked: Bool
    }

    func judge(_ views: OfferViews, _ request: RequestView) throws(Unsettled) -> Decision {
        let credentials = views.credentials
        guard let sent = request.pendingSubmission(self.submission, at: views.offers.now) else {
            try credentials.access.examine(credentials.sites.unnamed(request), for: .save, request)
            throw Unsettled(.submissionNotFound)
        }
        let service = try credentials.sites.service(sent.service, request)
        try credentials.access.examine(service, for: .save, request)
        var account: CredentialSummary?
        var isPicked = false
        if sent.user == nil {
            account = try storedCredential(sent, service, credentials, request)
            isPicked = account == nil
            if isPicked { account = try pickedCredential(sent, service, credentials, request) }
        }
        guard let user = sent.user ?? account?.user else { return Decision(service: service, outcome: .nothing) }
        let kept: Service
        if let account, let found = try credentials.saved.credential(account.id) {
            kept = credentials.sites.service(keeping: found, at: service, request) ?? service
        } else {
            kept = try credentials.saved.service(of: user, at: service, request)
        }
        let submission = Submission(
            service: kept, page: service, form: sent.form, user: user, password: sent.password, isPicked: isPicked)
        if let accepted = try acceptance(of: submission, views, request) {
            return Decision(service: service, outcome: accepted)
        }
        return Decision(service: service, outcome: try judgeSaving(submission, credentials, request))
    }

    /// A password that was offered for this form, or in this connection, and that the site accepted: accepted without a
    /// question, since the user chose it and it is in the vault already.
    private func acceptance(
        of submission: Submission, _ views: OfferViews, _ request: RequestView
    ) throws(Unsettled) -> Outcome? {
        let subject = try request.subject()
        var offers: [Sealed<Offer>] = []
        if let id = submission.form, let offer = try views.offers.pending(submission.page, form: id, request) {
            offers.append(offer)
        }
        for id in request.formOffers {
            if let offer = try views.offers.offer(id) { offers.append(offer) }
        }
        let now = views.offers.now
        let taken = offers.first { offer in
            offer.state == .pending && offer.expires > now && subject.isAtLeast(offer.subject)
                && offer.service == submission.page && offer.hasPassword(submission.password)
        }
        guard let taken else { return nil }
        let old = try views.credentials.saved.password(of: submission.user, for: submission.service)
        let acceptance = try views.acceptance(
            of: taken.id.description, user: submission.user, at: submission.service, request)
        return .accept(acceptance, isNew: old == nil)
    }

    private func judgeSaving(
        _ submission: Submission, _ credentials: CredentialViews, _ request: RequestView
    ) throws(Unsettled) -> Outcome {
        let (access, service) = (credentials.access, submission.service)
        let subject = try request.subject()
        let grant = try access.remembered(service, request)
        if grant?.decision == .deny {
            throw Unsettled(.grantDenied, [.app: subject.app, .domain: service.asArgument])
        }
        let old = try credentials.saved.password(of: submission.user, for: service)
        // Whether the password is the one that is saved is answered only to clients that may have it.
        if let old, !old.isDeleted, old.hasPassword(submission.password) {
            let isOwn = try access.isOwn(old.writer, request)
            if isOwn || request.owns(.password, of: old.id, old.version) || grant != nil { return .unchanged(old.id) }
        }
        var isConfirmed = submission.isPicked
        if !isConfirmed {
            isConfirmed = try access.confirmSaving(
                submission.user, of: service, isReplacing: old.map { !$0.isDeleted } ?? false, request)
        }
        if !isConfirmed {
            try credentials.requireCapacity(toSave: submission.user, of: service, request)
        } else if old == nil {
            try credentials.requireCapacity(for: service, request)
        }
        return .save(
            CredentialDraft(
                service: service, user: submission.user, password: submission.password, rules: nil, writer: subject))
    }

    func act(on decision: Decision, _ effects: OfferEffects) throws(Refusal) -> Answer {
        let (saved, service) = (effects.credentials.saved, decision.service)
        let answer: Answer
        switch decision.outcome {
        case .nothing: return Answer(.nothing, credential: nil)
        case .accept(let acceptance, let isNew):
            let accepted = try saved.accept(acceptance, ifVersion: nil)
            answer = Answer(isNew ? .saved : .updated, credential: accepted.id)
        case .unchanged(let id): answer = Answer(.unchanged, credential: id)
        case .save(let draft):
            let kept = try saved.save(draft, ifVersion: nil)
            answer = Answer(kept.isNew ? .saved : kept.changed ? .updated : .unchanged, credential: kept.id)
        }
        effects.offers.forgetSubmitted(for: service)
        return answer
    }

    /// The account of a form that names none: one whose password is the current one that was typed, where all of these are one user's,
    /// and without a current one the only one that the app may see.
    private func storedCredential(
        _ sent: PendingSubmission, _ service: Service, _ credentials: CredentialViews, _ request: RequestView
    ) throws(Unsettled) -> CredentialSummary? {
        let visible = try visible(service, credentials, request)
        guard let typed = sent.currentPassword else { return visible.count == 1 ? visible[0] : nil }
        var found: [CredentialSummary] = []
        for summary in visible where try credentials.saved.credential(summary.id)?.hasPassword(typed) == true {
            found.append(summary)
        }
        guard let first = found.first, found.allSatisfy({ $0.user.utf8.elementsEqual(first.user.utf8) }) else {
            return nil
        }
        return found.first { $0.services.contains { $0.service == service } } ?? first
    }

    /// The account whose new password it is, where nothing else decides it: the one that the user picks, or confirms where it is the only
    /// one.
    private func pickedCredential(
        _ sent: PendingSubmission, _ service: Service, _ credentials: CredentialViews, _ request: RequestView
    ) throws(Unsettled) -> CredentialSummary? {
        guard sent.isNewPassword else { return nil }
        let visible = try visible(service, credentials, request)
        var accounts: [PromptedAccount] = []
        for summary in visible where !accounts.contains(where: { $0.user == summary.user }) {
            accounts.append(PromptedAccount(id: summary.id, user: summary.user))
        }
        guard let first = accounts.first else { return nil }
        let access = credentials.access
        let picked: PromptedAccount?
        if accounts.count == 1 {
            picked = try access.confirmSaving(first.user, of: service, isReplacing: true, request) ? first : nil
        } else {
            picked = try access.pickToSave(service, among: accounts, request)
        }
        guard let picked else { return nil }
        let ofUser = visible.filter { $0.user == picked.user }
        return ofUser.first { $0.services.contains { $0.service == service } } ?? ofUser.first
    }

    /// The accounts that the app may see: those that it saved itself, and with a grant all of the site.
    private func visible(
        _ service: Service, _ credentials: CredentialViews, _ request: RequestView
    ) throws(Unsettled) -> [CredentialSummary] {
        let isGranted = try credentials.access.remembered(service, request)?.decision == .allow
        return try credentials.saved.passwords(of: service, limit: Limits.listDefault, request) { id, version in
            isGranted || request.owns(.password, of: id, version)
        }.elements
    }
}

private typealias CredentialSummary = CredentialStorage.CredentialSummary

extension AutofillConfirm.Answer {
    fileprivate enum Outcome: String {
        case saved, updated, unchanged, nothing
    }

    fileprivate init(_ outcome: Outcome, credential: ObjectID?) {
        self.init(
            outcome: outcome.rawValue, credential: credential?.description,
            changed: outcome == .saved || outcome == .updated)
    }
}
