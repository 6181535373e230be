// SPDX-License-Identifier: Apache-2.0
internal import AutofillPolicy
internal import AutofillProtocol
internal import AutofillService
internal import CredentialStorage
internal import Credentials
internal import Forms
internal import Reasons
internal import SecretMemory

/// Saves what the user typed, as far as it is worth keeping.
extension AutofillSubmitted: JudgedCall {
    typealias Area = OfferMethods

    struct Decision: Sendable {
        let service: Service
        let outcome: Outcome
    }

    enum Outcome: Sendable {
        /// Without a password; the user name is kept for the second page.
        case noPassword(user: String?)
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
        let user: String
        let password: SecretBytes
        /// Whether the user has just picked the account that it is for.
        let isPicked: Bool
    }

    func judge(_ views: OfferViews, _ request: RequestView) throws(Unsettled) -> Decision {
        let credentials = views.credentials
        let service = try credentials.sites.service(service, request)
        try credentials.access.examine(service, for: .save, request)
        let shown = try credentials.sites.described(self.form, request)
        let (described, form) = (shown.fields, try request.analysis(of: shown))
        let typed = typedUser(described, form)
        guard let password = typedPassword(described, form) else {
            return Decision(service: service, outcome: .noPassword(user: typed))
        }
        var user = typed
        if user == nil { user = try storedUser(described, form, service, credentials, request) }
        let isPicked = user == nil
        if isPicked { user = try pickedUser(form, service, credentials, request) }
        guard let user else { return Decision(service: service, outcome: .nothing) }
        let submission = Submission(
            service: try credentials.saved.service(of: user, at: service, request), page: service, user: user,
            password: password, isPicked: isPicked)
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
        if let id = form.id, let offer = try views.offers.pending(submission.page, form: id, request) {
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
            of: taken.id.description, user: submission.user, replacing: nil, request)
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
        case .noPassword(let user):
            if let user { effects.offers.rememberSubmitted(user, for: service) }
            return Answer(.nothing, credential: nil)
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

    // MARK: - What was typed

    private func typedPassword(_ described: [FieldDescription], _ form: FormAnalysis) -> SecretBytes? {
        for id in form.newPasswordFields + form.passwordFields {
            if let value = described.value(of: id), value.count > 0 { return value }
        }
        return nil
    }

    private func typedUser(_ described: [FieldDescription], _ form: FormAnalysis) -> String? {
        for id in [form.usernameField, form.hiddenUsernameField].compactMap(\.self) {
            guard let value = described.value(of: id), (1...Limits.userBytes).contains(value.count) else { continue }
            return value.withUnsafeBytes { String(decoding: $0, as: UTF8.self) }
        }
        return nil
    }

    /// The user of a form that names none: the one of the page before, else the one whose current password was typed, else
    /// the only one that the app may see.
    private func storedUser(
        _ described: [FieldDescription], _ form: FormAnalysis, _ service: Service, _ credentials: CredentialViews,
        _ request: RequestView
    ) throws(Unsettled) -> String? {
        if let user = request.submittedUser(for: service) { return user }
        let visible = try visible(service, credentials, request)
        guard form.kind == .changePassword, let current = form.passwordFields.first,
            let typed = described.value(of: current), typed.count > 0
        else { return visible.count == 1 ? visible[0].user : nil }
        for summary in visible {
            if let found = try credentials.saved.credential(summary.id), found.hasPassword(typed) {
                return summary.user
            }
        }
        return nil
    }

    /// The user whose new password it is, where the app may see several: the one that the user picks.
    private func pickedUser(
        _ form: FormAnalysis, _ service: Service, _ credentials: CredentialViews, _ request: RequestView
    ) throws(Unsettled) -> String? {
        guard !form.newPasswordFields.isEmpty else { return nil }
        var accounts: [PromptedAccount] = []
        for summary in try visible(service, credentials, request)
        where !accounts.contains(where: { $0.user == summary.user }) {
            accounts.append(PromptedAccount(id: summary.id, user: summary.user))
        }
        guard accounts.count > 1 else { return nil }
        return try credentials.access.pickToSave(service, among: accounts, request)?.user
    }

    /// The accounts that the app may see: those that it saved itself, and with a grant all of the site.
    private func visible(
        _ service: Service, _ credentials: CredentialViews, _ request: RequestView
    ) throws(Unsettled) -> [CredentialStorage.CredentialSummary] {
        let isGranted = try credentials.access.remembered(service, request)?.decision == .allow
        return try credentials.saved.passwords(of: service, limit: Limits.listDefault, request) { id, version in
            isGranted || request.owns(.password, of: id, version)
        }.elements
    }
}

extension AutofillSubmitted.Answer {
    fileprivate enum Outcome: String {
        case saved, updated, unchanged, nothing
    }

    fileprivate init(_ outcome: Outcome, credential: ObjectID?) {
        self.init(
            outcome: outcome.rawValue, credential: credential?.description,
            changed: outcome == .saved || outcome == .updated)
    }
}

extension [FieldDescription] {
    fileprivate func value(of id: String) -> SecretBytes? { first { $0.id.utf8.elementsEqual(id.utf8) }?.value }
}
