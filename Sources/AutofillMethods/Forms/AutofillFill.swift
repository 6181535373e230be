// SPDX-License-Identifier: Apache-2.0
internal import AutofillPolicy
internal import AutofillProtocol
internal import AutofillService
internal import CredentialStorage
internal import Credentials
internal import Forms
internal import Reasons
internal import SecretMemory

/// Fills a saved credential, an offer or a one-time code into a form.
extension AutofillFill: JudgedCall {
    typealias Area = FormMethods

    enum Decision: Sendable {
        case offer(Sealed<Offer>, Permit, fields: [String])
        case account(Sealed<Credential>, Permit, userField: String?, fields: [String])
        case code(CodeDecision, fields: [String])
    }

    func promptText(_ views: FormViews) throws(Unsettled) -> String? {
        if let offer { return "read \(try views.offers.shownOffer(offer))" }
        if let credential { return "read the password saved for \(try views.credentials.shownCredential(credential))" }
        if let service, let user { return "read the password saved for \(shown(user)) at \(shown(service.value))" }
        if let service { return "read the password used last for \(shown(service.value))" }
        return "read \(try views.codes.shownCode(code ?? ""))"
    }

    func judge(_ views: FormViews, _ request: RequestView) throws(Unsettled) -> Decision {
        let described = try self.form.map { form throws(Unsettled) in
            try views.credentials.sites.described(form, request)
        }
        if let offer { return try judge(offer: offer, described, views, request) }
        let form = try request.analysis(of: described ?? .empty)
        if let code {
            let page = try views.credentials.sites.page(request)
            return .code(try views.codes.named(code, at: page, request), fields: form.oneTimeCodeFields)
        }
        let (found, permit) = try account(views.credentials, request)
        return .account(found, permit, userField: form.usernameField, fields: form.passwordFields)
    }

    /// The credential that is named, else the one that the user picks.
    private func account(
        _ credentials: CredentialViews, _ request: RequestView
    ) throws(Unsettled) -> (Sealed<Credential>, Permit) {
        guard let service else { return try credentials.permitted(credential, .password, request) }
        if let user { return try credentials.read(.saved(for: service, user: user), request) }
        return try credentials.access.toCredential(of: credentials.sites.service(service, request), request)
    }

    private func judge(
        offer name: String, _ described: DescribedForm?, _ views: FormViews, _ request: RequestView
    ) throws(Unsettled) -> Decision {
        let offer = try views.offers.offer(name, request)
        if let page = try views.credentials.sites.page(request), page != offer.service {
            throw Unsettled(.offerNotFound)
        }
        if !request.isProven {
            switch offer.state {
            case .pending: break
            case .declined: throw Unsettled(.offerDeclined)
            case .expired: throw Unsettled(.offerExpired)
            // Its password is a saved credential now: that is released as one.
            case .accepted: throw Unsettled(.offerAlreadyAccepted)
            }
            if offer.expires <= views.offers.offers.now { throw Unsettled(.offerExpired) }
        }
        let permit = try views.credentials.access.toAccess(offer, request)
        let form = try request.analysis(of: described ?? request.form(of: offer.id) ?? .empty)
        return .offer(offer, permit, fields: form.newPasswordFields)
    }

    func act(on decision: Decision, _ effects: FormEffects) throws(Refusal) -> Answer {
        let credentials = effects.codes.credentials
        switch decision {
        case .offer(let sealed, let permit, let fields):
            let password = try credentials.releases.open(sealed, under: permit).password
            return Answer(user: nil, password: password, values: fields.map { FieldValue(field: $0, value: password) })
        case .account(let sealed, let permit, let userField, let fields):
            let found = try credentials.releases.open(sealed, under: permit, isUse: true).record
            let user = userField.map { FieldValue(field: $0, value: .init(utf8: found.user)) }
            return Answer(
                credential: found.id.description, user: found.user, password: found.password,
                values: [user].compactMap(\.self) + fields.map { FieldValue(field: $0, value: found.password) })
        case .code(let code, let fields):
            let released = try effects.codes.release(code)
            return Answer(
                credential: released.credential?.id.description, user: released.credential?.user, password: nil,
                code: released.code, validUntil: released.validUntil?.description,
                values: released.code.spread(over: fields))
        }
    }
}

extension SecretBytes {
    /// A code for its field, or a digit for each of as many fields as it has digits.
    fileprivate func spread(over fields: [String]) -> [FieldValue] {
        guard fields.count > 1, fields.count == count else {
            return fields.map { FieldValue(field: $0, value: self) }
        }
        return withUnsafeBytes { digits in
            zip(fields, digits).map { field, digit in
                FieldValue(field: field, value: SecretBytes(copying: CollectionOfOne(digit), count: 1))
            }
        }
    }
}
