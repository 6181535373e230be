// SPDX-License-Identifier: Apache-2.0
internal import AutofillPolicy
internal import AutofillProtocol
internal import AutofillService
internal import CredentialStorage
internal import Credentials
internal import Forms
internal import Reasons
internal import SecretMemory

/// Which strong password is suggested for a form.
enum StrongDecision: Sendable {
    /// The pending offer of this form.
    case pending(Sealed<Offer>, StrongPassword.Strength, DescribedForm)
    case make(OfferPlan, StrongPassword.Strength, DescribedForm)
    /// - Parameter field: the one that the journal names, where the form asks for a new password.
    case withheld([Refusal], field: String?)
}

extension AutofillSuggest {
    func judgeStrong(
        _ form: RequestedForm, _ described: DescribedForm, _ views: FormViews, _ request: RequestView
    ) throws(Unsettled) -> StrongDecision {
        let strong = try views.passwords.strongPassword(for: form, style: style)
        let facts = views.policy.facts(for: request, site: form.site, form: form.analysis, rules: strong?.fact)
        let examination = try views.credentials.access.examination(facts, for: .strongPassword, request)
        var refusals = examination.refusals
        if refusals.isEmpty, case .ready(let ready)? = strong, let service = form.service {
            let remembered = DescribedForm(described.fields.map(\.withoutValue), described.words)
            let found = try NotOffered.unless { () throws(Unsettled) in
                try views.credentials.access.refuseDenied(service, request)
                return try offer(service, ready, views.offers.offers, request)
            }
            switch found {
            case .success(.pending(let offer)): return .pending(offer, ready.strength, remembered)
            case .success(.make(let plan)): return .make(plan, ready.strength, remembered)
            case .failure(let refused): refusals = refused.refusals
            }
        }
        let field = self.form.focus ?? form.analysis.newPasswordFields.first ?? form.analysis.passwordFields.first
        return .withheld(refusals, field: form.analysis.asksForNewPassword ? field : nil)
    }

    private enum OfferDecision {
        case pending(Sealed<Offer>)
        case make(OfferPlan)
    }

    /// The pending offer of this form, or a new one.
    private func offer(
        _ service: Service, _ ready: StrongPassword.Ready, _ offers: OfferReader, _ request: RequestView
    ) throws(Unsettled) -> OfferDecision {
        let subject = try request.subject()
        if let id = form.id, let pending = try offers.pending(service, form: id, request), pending.expires > offers.now,
            pending.meets(ready.rules, ready.lengths)
        {
            return .pending(pending)
        }
        try offers.requireCapacity(for: subject, service)
        return .make(OfferPlan(for: subject, service, form: form.id, ready.generator, ready.rules, ready.lengths))
    }

    /// A new offer is in the vault when this returns.
    func act(
        on strong: StrongDecision, _ decision: Decision, _ effects: FormEffects
    ) -> Result<StrongPasswordSuggestion, NotOffered> {
        let fields = decision.form.newPasswordFields
        switch strong {
        case .pending(let offer, let strength, let form):
            effects.offers.remember(form, for: offer.id)
            return .success(StrongPasswordSuggestion(offer, strength, fields))
        case .make(let plan, let strength, let form):
            do throws(Refusal) {
                let offer = try effects.offers.make(plan)
                effects.offers.remember(form, for: offer.id)
                return .success(StrongPasswordSuggestion(offer, strength, fields))
            } catch {
                let field = self.form.focus ?? fields.first ?? decision.form.passwordFields.first
                return withhold([error], decision.form.asksForNewPassword ? field : nil, decision, effects)
            }
        case .withheld(let refusals, let field): return withhold(refusals, field, decision, effects)
        }
    }

    private func withhold(
        _ refusals: [Refusal], _ field: String?, _ decision: Decision, _ effects: FormEffects
    ) -> Result<StrongPasswordSuggestion, NotOffered> {
        if let field { effects.withheld.note(refusals, form: form.id, field: field, domain: decision.service?.value) }
        return .failure(NotOffered(refusals: refusals))
    }
}

extension StrongPasswordSuggestion {
    fileprivate init(_ offer: Sealed<Offer>, _ strength: StrongPassword.Strength, _ fields: [String]) {
        self.init(
            offer: offer.id.description, fields: fields, rules: offer.rules, length: offer.length,
            count: strength.count, bits: strength.bits, style: strength.style, expires: offer.expires.description,
            diagnostics: strength.diagnostics)
    }
}
