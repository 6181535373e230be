// SPDX-License-Identifier: Apache-2.0
internal import AutofillPolicy
internal import AutofillProtocol
internal import CredentialStorage
internal import Credentials
internal import Forms
internal import Reasons
internal import SecretMemory

/// Fills a saved credential, an offer or a one-time code into a form.
extension AutofillFill: DecidedCall, PromptedCall {
    func promptSummary(_ modules: Modules) throws(RefusedRequest) -> String {
        if let offer { return "read \(try modules.shownOffer(offer))" }
        if let credential { return "read the password saved for \(try modules.shownCredential(credential))" }
        if let service { return "read the password used last for \(shown(service.value))" }
        return "read \(try modules.shownCode(code ?? ""))"
    }

    func decide(_ request: RequestContext, _ modules: Modules) throws(RefusedRequest) -> Answer {
        let described = try described(request, modules)
        if let offer { return try fill(offer: offer, described, request, modules) }
        if let code {
            let page = try modules.page(page, request)
            return try modules.fill(code: code, described ?? DescribedForm([], words), at: page, request)
        }
        let form = try (described ?? DescribedForm([], words)).analysis(for: request.session)
        let (saved, authorisation) = try account(request, modules)
        try modules.audit.release(saved.id, saved.service, request, authorisation)
        try modules.noteUse(of: saved.id)
        let name = form.usernameField.map { FieldValue(field: $0, value: .init(utf8: saved.user)) }
        return Answer(
            credential: saved.id.description, user: saved.user, password: saved.password,
            values: [name].compactMap(\.self)
                + form.passwordFields.map { FieldValue(field: $0, value: saved.password) })
    }

    /// The form that the request describes; nil where it describes none.
    private func described(_ request: RequestContext, _ modules: Modules) throws(RefusedRequest) -> DescribedForm? {
        guard fields != nil || declaredForm != nil else { return nil }
        return DescribedForm(
            try modules.descriptions(declared: declaredForm, fields ?? [], request.session), words)
    }

    /// The credential that is meant: the one that is named, else the one that the person picks.
    private func account(
        _ request: RequestContext, _ modules: Modules
    ) throws(RefusedRequest) -> (Credential, Authorisation) {
        if let service { return try modules.account(of: try modules.apps.service(service, request), for: request) }
        let saved = try modules.credential(named: credential, for: request)
        let service = try place(of: saved, request, modules)
        let authorisation = try modules.authorise(request, toReach: .password, of: service)
        guard authorisation.shows(.password, of: saved.id, saved.version, to: request.session) else {
            throw RefusedRequest(.credentialNotFound)
        }
        return (saved, authorisation)
    }

    /// The service by which a credential is reached: where a page is named, the one that holds there.
    private func place(
        of saved: Credential, _ request: RequestContext, _ modules: Modules
    ) throws(RefusedRequest) -> Credentials.Service {
        if let page = try modules.page(page, request) {
            return try modules.service(of: saved, namedWith: page, request)
        }
        return try modules.authoriser.reached(saved, request) ?? saved.service
    }

    private func fill(
        offer text: String, _ described: DescribedForm?, _ request: RequestContext, _ modules: Modules
    ) throws(RefusedRequest) -> Answer {
        let offer = try modules.offer(text, request)
        if let page = try modules.page(page, request), page != offer.service { throw RefusedRequest(.offerNotFound) }
        if !request.isProven {
            switch offer.state {
            case .pending: break
            case .declined: throw RefusedRequest(.offerDeclined)
            case .expired: throw RefusedRequest(.offerExpired)
            // Its password is a saved credential now: that is released as one.
            case .accepted: throw RefusedRequest(.offerAlreadyAccepted)
            }
            if offer.expires <= modules.clock.steady { throw RefusedRequest(.offerExpired) }
            try modules.authoriser.examine(request, offer.service, for: .save)
        }
        let known = request.session.memory.forms.form(of: offer.id)
        let form = try (described ?? known ?? DescribedForm([], words)).analysis(for: request.session)
        try modules.audit.release(offer.id, offer.service, request, .ownOnly)
        return Answer(
            user: nil, password: offer.password,
            values: form.newPasswordFields.map { FieldValue(field: $0, value: offer.password) })
    }
}
