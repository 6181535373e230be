// SPDX-License-Identifier: Apache-2.0
internal import AutofillPolicy
internal import AutofillProtocol
internal import AutofillService
internal import Credentials
internal import Forms
internal import Reasons
internal import SecretMemory

/// Keeps what the user typed until the outcome is known.
extension AutofillSubmit: JudgedCall {
    typealias Area = OfferMethods

    enum Decision: Sendable {
        /// Without a password; the user name is kept for the second page.
        case noPassword(user: String?, Service)
        case keep(PendingSubmission)
    }

    func judge(_ views: OfferViews, _ request: RequestView) throws(Unsettled) -> Decision {
        let sites = views.credentials.sites
        let service = try sites.service(service, request)
        try views.credentials.access.examine(service, for: .save, request)
        let shown = try sites.described(self.form, request)
        let (described, form) = (shown.fields, try request.analysis(of: shown))
        let typed = typedUser(described, form)
        guard let password = typedPassword(described, form) else { return .noPassword(user: typed, service) }
        var current: SecretBytes?
        if form.kind == .changePassword, let id = form.passwordFields.first, let value = described.value(of: id),
            value.count > 0
        {
            current = value
        }
        // A change is no second page of a sign-in: its current password shows whose it is.
        let former = form.kind == .changePassword ? nil : request.submittedUser(for: service)
        return .keep(
            PendingSubmission(
                service: self.service, form: self.form.id, user: typed ?? former, password: password,
                isNewPassword: !form.newPasswordFields.isEmpty, currentPassword: current))
    }

    func act(on decision: Decision, _ effects: OfferEffects) throws(Refusal) -> Answer {
        switch decision {
        case .noPassword(let user, let service):
            if let user { effects.offers.rememberSubmitted(user, for: service) }
            return Answer()
        case .keep(let submission):
            let kept = effects.offers.keep(submission)
            return Answer(submission: kept.id, expires: kept.expires.description)
        }
    }

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
}

extension [FieldDescription] {
    fileprivate func value(of id: String) -> SecretBytes? { first { $0.id.utf8.elementsEqual(id.utf8) }?.value }
}
