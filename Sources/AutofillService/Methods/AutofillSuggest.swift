// SPDX-License-Identifier: Apache-2.0
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
extension AutofillSuggest: DecidedCall {
    func decide(_ request: RequestContext, _ modules: Modules) throws(RefusedRequest) -> Answer {
        let (site, service) = try modules.apps.site(service, request)
        let described = try modules.descriptions(declared: declaredForm, fields, request.session)
        let fields = try described.formFields()
        let form = request.session.memory.forms.analysis(of: fields, words.surroundings)
        let focused = try focus.map { focus throws(RefusedRequest) in try form.finding(of: focus) }
        var withheld: [Withheld] = []
        func note<Found>(_ type: String, _ found: Result<Found, NotOffered>?) {
            guard case .failure(let refused)? = found else { return }
            withheld.append(Withheld(type: type, reasons: refused.refusals.map(ReasonReport.init)))
        }
        // It may take other turns to look these through: then it is judged anew, and what was made before would stay.
        var saved: Result<SavedCredentialsSuggestion, NotOffered>?
        if focused.map({ $0.role == .username || $0.role == .password }) ?? true {
            saved = try modules.savedCredentials(request, site, service, form)
        }
        var found: Result<FoundCodes, NotOffered>?
        if focused.map({ $0.role == .oneTimeCode }) ?? true {
            found = try modules.findCodes(request, site, service, form)
        }
        var strong: Result<StrongPasswordSuggestion, NotOffered>?
        if focused.map(form.wantsNewPassword) ?? true {
            strong = try strongPassword(described, site, service, form, fields, request, modules)
        }
        note("strongPassword", strong)
        note("savedCredentials", saved)
        let codes = try found.flatMap { found throws(RefusedRequest) in
            try modules.suggest(found, self.form, request, form)
        }
        note("oneTimeCode", codes)
        // Names are for the program that was allowed them, not for one that it has become since.
        let names = (try? saved?.get())?.namesAny ?? false || (try? codes?.get())?.codes.isEmpty == false
        if names { try request.confirmPeer() }
        return Answer(
            formKind: form.kind.rawValue, grounds: form.grounds,
            roles: form.findings.map { FieldRole(field: $0.field, role: $0.role.rawValue) },
            strongPassword: try? strong?.get(), savedCredentials: try? saved?.get(), oneTimeCode: try? codes?.get(),
            withheld: withheld,
            site: service.flatMap(modules.apps.report))
    }

    private func strongPassword(
        _ described: [FieldDescription], _ site: AutofillFacts.Site, _ service: Service?, _ form: FormAnalysis,
        _ fields: [FormField], _ request: RequestContext, _ modules: Modules
    ) throws(RefusedRequest) -> Result<StrongPasswordSuggestion, NotOffered> {
        let strong = try modules.strongPassword(for: form, of: fields, style: style, on: service)
        let facts = modules.authoriser.facts(for: request, site: site, form: form, rules: strong?.fact)
        let examination = Examination(of: facts, for: .strongPassword)
        try modules.authoriser.askSite(request, site, examination, mayWait: false)
        var refusals = examination.refusals
        if refusals.isEmpty, case .ready(let generator, let rules, let lengths, let diagnostics)? = strong, let service
        {
            do throws(RefusedRequest) {
                let offer = try offer(service, generator, rules, lengths, request, modules)
                request.session.memory.forms.remember(
                    DescribedForm(described.map(\.withoutValue), words), for: offer.id)
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
        if form.asksForNewPassword, let field = focus ?? form.newPasswordFields.first ?? form.passwordFields.first {
            modules.audit.noteWithheld(refusals, form: self.form, field: field, domain: service?.value, request)
        }
        return .failure(NotOffered(refusals: refusals))
    }

    /// The pending offer of this form, or a new one. It is in the vault when this returns.
    private func offer(
        _ service: Service, _ generator: PasswordGenerator, _ rules: PasswordRules, _ lengths: ClosedRange<Int>,
        _ request: RequestContext, _ modules: Modules
    ) throws(RefusedRequest) -> Offer {
        let subject = try request.session.subject()
        let open = try modules.vault.unlocked()
        let now = modules.clock.steady
        if let form, let pending = try modules.pendingOffer(of: request.session, service, form: form),
            pending.expires > now, pending.password.meets(rules, lengths)
        {
            return pending
        }
        if try !hasRoom(open, subject, service) {
            if modules.offers.mayExpire(at: now) {
                try attempting { () throws(VaultError) in try open.writers.offers.expireAll(at: now) }
            }
            guard try hasRoom(open, subject, service) else {
                throw RefusedRequest(.tooManyOffers, [.app: subject.app, .domain: service.value])
            }
        }
        var entropy = modules.surroundings.entropy
        let password = SecretBytes(count: generator.length) { memory in
            generator.draw(into: memory, using: &entropy)
        }
        // Whatever a fault in the drawing would give, no app gets it.
        guard password.meets(rules, lengths) else { throw RefusedRequest(.internalFault) }
        let lifetime = Int64(modules.settings.effective.offerLifetimeMinutes) * 60_000
        let offer = Offer(
            id: .random(.offer, using: &entropy), subject: subject, service: service, form: form,
            password: password, rules: rules.description, created: now,
            expires: now.advanced(byMilliseconds: lifetime))
        try attempting { () throws(VaultError) in try open.writers.offers.insert(offer) }
        request.session.memory.ownership.noteMade(offer.id)
        return offer
    }

    private func hasRoom(
        _ open: Vault, _ subject: Subject, _ service: Service
    ) throws(RefusedRequest) -> Bool {
        let here = try attempting { () throws(VaultError) in
            try open.readers.offers.pendingCount(app: subject.app, service: service)
        }
        let all = open.counts?.pendingOffers ?? 0
        guard here < Limits.pendingOffersPerService, all < Limits.pendingOffers else { return false }
        // Whose they are is sealed in them: looked at only where one app may be about to take the places of all.
        guard all >= Limits.pendingOffers / 2 else { return true }
        let own = try attempting { () throws(VaultError) in
            try open.readers.offers.page(pendingOnly: true, after: nil, limit: Limits.pendingOffersPerApp) { offer in
                offer.subject.app == subject.app
            }
        }
        return own.elements.count < Limits.pendingOffersPerApp
    }
}

extension FormAnalysis {
    fileprivate func finding(of field: String) throws(RefusedRequest) -> FieldFinding {
        guard let finding = findings.first(where: { $0.field.utf8.elementsEqual(field.utf8) }) else {
            throw .invalid("focus", "the id of one of the fields")
        }
        return finding
    }

    /// Whether a strong password belongs into the field, or seems meant to: a form with two fields of content type `password` is
    /// a sign-up that was given the wrong ones.
    fileprivate func wantsNewPassword(_ finding: FieldFinding) -> Bool {
        switch finding.role {
        case .newPassword, .confirmation: true
        case .password: newPasswordFields.isEmpty && asksForNewPassword
        default: false
        }
    }
}

/// Why a suggestion is not made.
struct NotOffered: Error {
    let refusals: [Refusal]

    /// What is refused is not offered, and keeps nothing else from a form; what has to be waited for is thrown.
    static func unless<Found>(
        _ find: () throws(RefusedRequest) -> Found
    ) throws(RefusedRequest) -> Result<Found, NotOffered> {
        do throws(RefusedRequest) { return .success(try find()) } catch {
            guard case .refused(let refusals) = error else { throw error }
            return .failure(NotOffered(refusals: refusals))
        }
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
