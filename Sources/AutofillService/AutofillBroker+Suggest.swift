// SPDX-License-Identifier: Apache-2.0
internal import AssociatedDomains
internal import AutofillPolicy
internal import AutofillProtocol
internal import CredentialStorage
internal import Credentials
internal import Forms
internal import PasswordRules
internal import Reasons
internal import SecretMemory
internal import Settings

/// What can be filled into a form.
extension AutofillBroker {
    func suggest(_ call: AutofillSuggest, _ client: Client) throws(RefusedRequest) -> AutofillSuggest.Answer {
        knowSites()
        let (site, service) = try site(call.service)
        let described = try descriptions(declared: call.declaredForm, call.fields, client)
        let fields = try formFields(described)
        let form = FormAnalysis(of: fields)
        var withheld: [Withheld] = []
        let strong = try strongPassword(call, described, client, site, service, form, fields)
        if case .failure(let refusals) = strong {
            withheld.append(Withheld(type: "strongPassword", reasons: refusals.refusals.map(ReasonReport.init)))
        }
        let saved = try savedCredentials(client, site, service, form)
        if case .failure(let refusals)? = saved {
            withheld.append(Withheld(type: "savedCredentials", reasons: refusals.refusals.map(ReasonReport.init)))
        }
        let codes = try oneTimeCodes(call, client, site, service, form)
        if case .failure(let refusals)? = codes {
            withheld.append(Withheld(type: "oneTimeCode", reasons: refusals.refusals.map(ReasonReport.init)))
        }
        // Names are for the program that was allowed them, not for one that it has become since.
        let names = (try? saved?.get())?.namesAny ?? false || (try? codes?.get())?.codes.isEmpty == false
        if names { try confirmPeer(of: client) }
        return AutofillSuggest.Answer(
            formKind: form.kind.rawValue, grounds: form.grounds, strongPassword: try? strong.get(),
            savedCredentials: try? saved?.get(), oneTimeCode: try? codes?.get(), withheld: withheld,
            site: service.flatMap(report))
    }

    /// Why a suggestion is not made.
    struct NotOffered: Error {
        let refusals: [Refusal]
    }

    private func strongPassword(
        _ call: AutofillSuggest, _ described: [FieldDescription], _ client: Client, _ site: AutofillFacts.Site,
        _ service: Service?, _ form: FormAnalysis, _ fields: [FormField]
    ) throws(RefusedRequest) -> Result<StrongPasswordSuggestion, NotOffered> {
        let strong = strongPassword(for: form, of: fields, style: call.style, on: service)
        let facts = facts(for: client, site: site, form: form, rules: strong?.fact)
        let examination = Examination(of: facts, for: .strongPassword)
        try hear(client, site, examination, mayWait: false)
        var refusals = examination.refusals
        if refusals.isEmpty, case .ready(let generator, let rules, let lengths, let diagnostics)? = strong, let service
        {
            do throws(RefusedRequest) {
                let offer = try offer(call, client, service, generator, rules, lengths)
                client.remember(described.map(\.withoutValue), for: offer.id)
                return .success(
                    StrongPasswordSuggestion(
                        offer: offer.id.description, fields: form.newPasswordFields, rules: offer.rules,
                        length: offer.password.count, count: generator.count.description,
                        bits: generator.bits.hundredths, style: generator.format.rawValue,
                        expires: offer.expires.description, diagnostics: diagnostics))
            } catch {
                guard case .refused(let reasons) = error else { throw error }
                refusals = reasons
            }
        }
        if form.asksForNewPassword, let field = form.newPasswordFields.first ?? form.passwordFields.first {
            noteWithheld(refusals, form: call.form, field: field, domain: service?.value, .autofillSuggest, client)
        }
        return .failure(NotOffered(refusals: refusals))
    }

    /// The pending offer of this form, or a new one. It is in the vault when this returns.
    private func offer(
        _ call: AutofillSuggest, _ client: Client, _ service: Service, _ generator: PasswordGenerator,
        _ rules: PasswordRules, _ lengths: ClosedRange<Int>
    ) throws(RefusedRequest) -> Offer {
        let subject = try subject(of: client)
        let open = try vault.unlocked()
        if let form = call.form,
            let pending = try pendingOffer(for: subject, service, form: form), pending.expires > now,
            pending.password.meets(rules, lengths)
        {
            return pending
        }
        if try !hasRoom(open, subject, service) {
            try expireOffers(open)
            guard try hasRoom(open, subject, service) else {
                throw RefusedRequest(.tooManyOffers, [.app: subject.app, .domain: service.value])
            }
        }
        let password = SecretBytes(count: generator.length) { memory in
            generator.draw(into: memory, using: &entropy)
        }
        // Whatever a fault in the drawing would give, no app gets it.
        guard password.meets(rules, lengths) else { throw RefusedRequest(.internalFault) }
        let offer = Offer(
            id: .random(.offer, using: &entropy), subject: subject, service: service, form: call.form,
            password: password, rules: rules.description, created: now,
            expires: now.advanced(byMilliseconds: Int64(configuration.settings.offerLifetimeMinutes) * 60_000))
        try attempting { () throws(VaultError) in try open.insert(offer) }
        return offer
    }

    /// The pending offer of this form that was made to the app, known as well as now or less.
    func pendingOffer(
        for subject: Subject, _ service: Service, form: String
    ) throws(RefusedRequest) -> Offer? {
        let open = try vault.unlocked()
        for subject in subject.equalsAndWeaker {
            let found = try attempting { () throws(VaultError) in
                try open.pendingOffer(for: subject, service: service, form: form, at: now)
            }
            if let found { return found }
        }
        return nil
    }

    private func hasRoom(
        _ open: Vault, _ subject: Subject, _ service: Service
    ) throws(RefusedRequest) -> Bool {
        let here = try attempting { () throws(VaultError) in
            try open.pendingOfferCount(app: subject.app, service: service)
        }
        let all = open.counts?.pendingOffers ?? 0
        guard here < Limits.pendingOffersPerService, all < Limits.pendingOffers else { return false }
        // Whose they are is sealed in them: looked at only where one app may be about to take the places of all.
        guard all >= Limits.pendingOffers / 2 else { return true }
        let own = try attempting { () throws(VaultError) in
            try open.offers(pendingOnly: true, after: nil, limit: Limits.pendingOffersPerApp) { offer in
                offer.subject.app == subject.app
            }
        }
        return own.elements.count < Limits.pendingOffersPerApp
    }

    /// Takes off those whose time has run out; at most every ten seconds, since it reads them all.
    private func expireOffers(_ open: Vault) throws(RefusedRequest) {
        guard now.milliseconds - lastExpiry.milliseconds >= 10_000 else { return }
        lastExpiry = now
        try attempting { () throws(VaultError) in try open.expireOffers(at: now) }
    }
}

extension Client {
    /// Keeps the fields of an offer for `autofill.fill`; the oldest knowledge goes first when there is much.
    fileprivate func remember(_ fields: [FieldDescription], for offer: ObjectID) {
        if fieldsOfOffer.count >= Limits.pendingOffersPerService { fieldsOfOffer.removeAll() }
        fieldsOfOffer[offer] = fields
    }
}

extension SecretBytes {
    /// Whether a password fits the form.
    fileprivate func meets(_ rules: PasswordRules, _ lengths: ClosedRange<Int>) -> Bool {
        lengths.contains(count) && withUnsafeBytes { rules.violations(in: $0).isEmpty }
    }
}

extension Double {
    /// With two decimals, rounded down: strength is never overstated.
    var hundredths: String {
        let hundredths = Int((self * 100).rounded(.down))
        let fraction = hundredths % 100
        return "\(hundredths / 100).\(fraction < 10 ? "0" : "")\(fraction)"
    }
}

extension SavedCredentialsSuggestion {
    /// Whether user names are in it.
    fileprivate var namesAny: Bool { !credentials.isEmpty || !related.isEmpty || !shared.isEmpty }
}
