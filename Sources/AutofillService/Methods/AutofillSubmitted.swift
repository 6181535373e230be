// SPDX-License-Identifier: Apache-2.0
internal import AutofillPolicy
internal import AutofillProtocol
internal import CredentialStorage
internal import Credentials
internal import Forms
internal import Reasons
internal import SecretMemory

/// Saves what the person typed, as far as it is worth keeping.
extension AutofillSubmitted: DecidedCall {
    /// What the site took.
    private struct Submission {
        let service: Service
        /// Where it was typed.
        let page: Service
        let user: String
        let password: SecretBytes
        /// Whether the person has just said that it is for this user.
        let isPicked: Bool
    }

    func decide(_ request: RequestContext, _ modules: Modules) throws(RefusedRequest) -> Answer {
        let service = try modules.apps.service(service, request)
        try modules.authoriser.examine(request, service, for: .save)
        let described = try modules.descriptions(declared: declaredForm, fields, request.session)
        let form = try DescribedForm(described, words).analysis(for: request.session)
        let user = typedUser(described, form)
        guard let password = typedPassword(described, form) else {
            if let user { request.session.memory.forms.rememberSubmitted(user, for: service) }
            return Answer(outcome: .nothing, credential: nil)
        }
        var owner = user
        if owner == nil { owner = try knownUser(described, form, service, request, modules) }
        let isPicked = owner == nil
        if isPicked { owner = try pickedUser(form, service, request, modules) }
        guard let owner else { return Answer(outcome: .nothing, credential: nil) }
        let place = try modules.place(of: owner, at: service, request)
        let submission = Submission(service: place, page: service, user: owner, password: password, isPicked: isPicked)
        let accepted = try acceptOffer(submission, request, modules)
        let answer = if let accepted { accepted } else { try save(submission, request, modules) }
        request.session.memory.forms.forgetSubmitted(for: service)
        return answer
    }

    /// A password that was offered for this form, or in this connection, and that the site took: accepted without a
    /// question, since the person chose it and it is in the vault already.
    private func acceptOffer(
        _ submission: Submission, _ request: RequestContext, _ modules: Modules
    ) throws(RefusedRequest) -> Answer? {
        let subject = try request.session.subject()
        let open = try modules.vault.unlocked()
        var offers: [Offer] = []
        if let form, let offer = try modules.pendingOffer(of: request.session, submission.page, form: form) {
            offers.append(offer)
        }
        for id in request.session.memory.forms.offers {
            if let offer = try attempting({ () throws(VaultError) in try open.readers.offers.get(id) }) {
                offers.append(offer)
            }
        }
        let now = modules.clock.steady
        let taken = offers.first { offer in
            offer.state == .pending && offer.expires > now && subject.isAtLeast(offer.subject)
                && offer.service == submission.page && offer.password.equals(submission.password)
        }
        guard let taken else { return nil }
        let isNew =
            try attempting { () throws(VaultError) in
                try open.readers.credentials.get(for: submission.service, user: submission.user)
            } == nil
        let saved = try modules.accept(
            taken.id.description, user: submission.user, replacing: nil, ifVersion: nil, request)
        return Answer(outcome: isNew ? .saved : .updated, credential: saved.id.description)
    }

    private func save(
        _ submission: Submission, _ request: RequestContext, _ modules: Modules
    ) throws(RefusedRequest) -> Answer {
        let subject = try request.session.subject()
        let open = try modules.vault.unlocked()
        let grant = try modules.authoriser.remembered(request.session, submission.service)
        if grant?.decision == .deny {
            throw RefusedRequest(.grantDenied, [.app: subject.app, .domain: submission.service.asArgument])
        }
        let old = try attempting { () throws(VaultError) in
            try open.readers.credentials.get(for: submission.service, user: submission.user)
        }
        // Whether the password is the one that is saved is told only to those who may have it.
        let isOwn = try old.map { old throws(RefusedRequest) in
            try modules.authoriser.isOwn(old.writer, of: request.session)
                || request.session.memory.ownership.owns(old.id, old.version)
        }
        let mayKnow = isOwn == true || grant != nil
        if mayKnow, let old, old.deleted == nil, old.password.equals(submission.password) {
            return Answer(outcome: .unchanged, credential: old.id.description)
        }
        let isReplacing = old.map { $0.deleted == nil } ?? false
        let isConfirmed =
            if submission.isPicked { true } else {
                try modules.authoriser.confirmSaving(
                    request, submission.service, submission.user, isReplacing: isReplacing)
            }
        if !isConfirmed {
            try modules.requireRoom(request, toSave: submission.user, of: submission.service)
        } else if old == nil {
            try modules.offers.checkRoom(for: submission.service, writtenBy: subject.app, open)
        }
        let draft = CredentialDraft(
            service: submission.service, user: submission.user, password: submission.password, rules: nil,
            writer: subject)
        let saved = try attempting { () throws(VaultError) in
            try open.writers.credentials.save(draft, at: modules.clock.now)
        }
        modules.noteWritten(saved, of: submission.service, request)
        return Answer(
            outcome: saved.isNew ? .saved : saved.changed ? .updated : .unchanged, credential: saved.id.description)
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
    /// the only one that the app may know of.
    private func knownUser(
        _ described: [FieldDescription], _ form: FormAnalysis, _ service: Service, _ request: RequestContext,
        _ modules: Modules
    ) throws(RefusedRequest) -> String? {
        if let user = request.session.memory.forms.submittedUser(for: service) { return user }
        let known = try known(service, request, modules)
        guard form.kind == .changePassword, let current = form.passwordFields.first,
            let typed = described.value(of: current), typed.count > 0
        else { return known.count == 1 ? known[0].user : nil }
        let open = try modules.vault.unlocked()
        for summary in known {
            let credential = try attempting { () throws(VaultError) in try open.readers.credentials.get(summary.id) }
            if credential?.password.equals(typed) ?? false { return summary.user }
        }
        return nil
    }

    /// The user whose new password it is, where the app may know of several: the one that the person picks.
    private func pickedUser(
        _ form: FormAnalysis, _ service: Service, _ request: RequestContext, _ modules: Modules
    ) throws(RefusedRequest) -> String? {
        guard !form.newPasswordFields.isEmpty else { return nil }
        var accounts: [PromptedAccount] = []
        for summary in try known(service, request, modules) where !accounts.contains(where: { $0.user == summary.user })
        {
            accounts.append(PromptedAccount(id: summary.id, user: summary.user))
        }
        guard accounts.count > 1 else { return nil }
        return try modules.authoriser.pickToSave(request, service, among: accounts)?.user
    }

    /// The accounts that the app may know of: those that it saved itself, and with a grant all of the site.
    private func known(
        _ service: Service, _ request: RequestContext, _ modules: Modules
    ) throws(RefusedRequest) -> [CredentialStorage.CredentialSummary] {
        let grant = try modules.authoriser.remembered(request.session, service)
        return try modules.visible(service, request, grant?.decision == .allow ? .granted(nil) : .ownOnly).first
    }
}

extension AutofillSubmitted.Answer {
    fileprivate enum Outcome: String {
        case saved, updated, unchanged, nothing
    }

    fileprivate init(outcome: Outcome, credential: String?) {
        self.init(
            outcome: outcome.rawValue, credential: credential, changed: outcome == .saved || outcome == .updated)
    }
}

extension [FieldDescription] {
    fileprivate func value(of id: String) -> SecretBytes? { first { $0.id.utf8.elementsEqual(id.utf8) }?.value }
}
