// SPDX-License-Identifier: Apache-2.0
internal import AutofillPolicy
internal import AutofillProtocol
internal import CredentialStorage
internal import Credentials
internal import Forms
internal import Reasons
internal import SecretMemory
internal import Settings

/// Saving what the person typed.
extension AutofillBroker {
    /// What the site took, as far as it is worth keeping.
    private struct Submission {
        let service: Service
        let user: String
        let password: SecretBytes
    }

    func submit(_ call: AutofillSubmitted, _ client: Client) throws(RefusedRequest) -> AutofillSubmitted.Answer {
        let service = try domain(call.service)
        try examine(client, .domain(service.value), for: .save, interaction: call.interaction)
        let described = try descriptions(declared: call.declaredForm, call.fields, client)
        let form = FormAnalysis(of: try formFields(described))
        let user = typedUser(described, form)
        guard let password = typedPassword(described, form) else {
            if let user { client.rememberSubmitted(user, for: service) }
            return AutofillSubmitted.Answer(outcome: .nothing, credential: nil)
        }
        var owner = user
        if owner == nil { owner = try knownUser(described, form, service, client) }
        guard let owner else {
            return AutofillSubmitted.Answer(outcome: .nothing, credential: nil)
        }
        let submission = Submission(service: service, user: owner, password: password)
        if let saved = try acceptOffer(call.form, submission, call.interaction, client) { return saved }
        return try save(submission, call.interaction, client)
    }

    /// A password that was offered for this form, or in this connection, and that the site took: accepted without a
    /// question, since the person chose it and it is in the vault already.
    private func acceptOffer(
        _ form: String?, _ submission: Submission, _ interaction: Interaction, _ client: Client
    ) throws(RefusedRequest) -> AutofillSubmitted.Answer? {
        let subject = try subject(of: client)
        let open = try vault.unlocked()
        var offers: [Offer] = []
        if let form,
            let offer = try pendingOffer(for: subject, submission.service, form: form)
        {
            offers.append(offer)
        }
        for id in client.fieldsOfOffer.keys.sorted() {
            if let offer = try attempting({ () throws(VaultError) in try open.offer(id) }) { offers.append(offer) }
        }
        guard
            let offer = offers.first(where: { offer in
                offer.state == .pending && offer.expires > now && subject.isAtLeast(offer.subject)
                    && offer.service == submission.service && offer.password.equals(submission.password)
            })
        else { return nil }
        let isNew =
            try attempting { () throws(VaultError) in
                try open.credential(for: submission.service, user: submission.user)
            } == nil
        let saved = try accept(
            AutofillAccept(offer: offer.id.description, user: submission.user, interaction: interaction), client, false)
        return AutofillSubmitted.Answer(outcome: isNew ? .saved : .updated, credential: saved.credential)
    }

    private func save(
        _ submission: Submission, _ interaction: Interaction, _ client: Client
    ) throws(RefusedRequest) -> AutofillSubmitted.Answer {
        let subject = try subject(of: client)
        let open = try vault.unlocked()
        let grant = try remembered(client, submission.service)
        if grant?.decision == .deny {
            throw RefusedRequest(.grantDenied, [.app: subject.app, .domain: submission.service.value])
        }
        let old = try attempting { () throws(VaultError) in
            try open.credential(for: submission.service, user: submission.user)
        }
        // Whether the password is the one that is saved is told only to those who may have it.
        let isOwn = old.map { subject.isAtLeast($0.writer) || client.owns($0.id, $0.version) } ?? false
        let mayKnow = isOwn || grant != nil
        if mayKnow, let old, old.deleted == nil, old.password.equals(submission.password) {
            return AutofillSubmitted.Answer(outcome: .unchanged, credential: old.id.description)
        }
        let isConfirmed = try confirmSaving(
            submission.service, submission.user, isReplacing: old.map { $0.deleted == nil } ?? false, interaction,
            client)
        if !isConfirmed {
            try authorise(client, toChange: submission.user, of: submission.service, interaction)
        } else if old == nil {
            try takeRoom(for: submission.service, writtenBy: subject.app)
        }
        let saved = try attempting { () throws(VaultError) in
            try open.save(
                CredentialDraft(
                    service: submission.service, user: submission.user, password: submission.password, rules: nil,
                    writer: subject), at: now)
        }
        client.ownPassword(saved, of: submission.service)
        if saved.changed { announce(.credentialsChanged(saved.id, submission.service, .saved)) }
        return AutofillSubmitted.Answer(
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
        _ described: [FieldDescription], _ form: FormAnalysis, _ service: Service, _ client: Client
    ) throws(RefusedRequest) -> String? {
        if let user = client.submittedUsers[service] { return user }
        let grant = try remembered(client, service)
        let known = try visible(service, client, grant?.decision == .allow ? .granted(nil) : .ownOnly)
        guard form.kind == .changePassword, let current = form.passwordFields.first,
            let typed = described.value(of: current), typed.count > 0
        else { return known.count == 1 ? known[0].user : nil }
        let open = try vault.unlocked()
        for summary in known {
            let credential = try attempting { () throws(VaultError) in try open.credential(summary.id) }
            if credential?.password.equals(typed) ?? false { return summary.user }
        }
        return nil
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

extension Client {
    fileprivate func rememberSubmitted(_ user: String, for service: Service) {
        if submittedUsers.count >= Limits.pendingOffersPerService { submittedUsers.removeAll() }
        submittedUsers[service] = user
    }
}
