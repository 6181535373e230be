// SPDX-License-Identifier: Apache-2.0
internal import AutofillProtocol
internal import CredentialStorage
package import Credentials
package import PasswordRules
package import Reasons
internal import SecretMemory
internal import Settings

/// Makes offers, and settles them.
package struct OfferWriter {
    private let vault: VaultKeeper
    private let settings: SettingsInForce
    private let request: RequestContext

    package init(_ vault: VaultKeeper, _ settings: SettingsInForce, _ request: RequestContext) {
        (self.vault, self.settings, self.request) = (vault, settings, request)
    }

    /// Draws a password, and keeps it as a pending offer: it is in the vault when this returns.
    package func make(_ plan: OfferPlan) throws(Refusal) -> Sealed<Offer> {
        var entropy = vault.environment.entropy
        let password = SecretBytes(count: plan.generator.length) { memory in
            plan.generator.draw(into: memory, using: &entropy)
        }
        // Whatever a fault in the drawing would produce, no app gets it.
        guard password.meets(plan.rules, plan.lengths) else { throw Refusal(.internalFault) }
        let now = vault.clock.steady
        let lifetime = Int64(settings.effective.offerLifetimeMinutes) * 60_000
        let offer = Offer(
            id: .random(.offer, using: &entropy), subject: plan.subject, service: plan.service, form: plan.form,
            password: password, rules: plan.rules.description, created: now,
            expires: now.advanced(byMilliseconds: lifetime))
        try vault.write { writers, _ throws(VaultError) in try writers.offers.insert(offer) }
        request.session.memory.ownership.noteMade(offer.id)
        return Sealed(offer)
    }

    /// - Returns: whether it was pending.
    package func decline(_ id: ObjectID) throws(Refusal) -> Bool {
        let now = vault.clock.steady
        return try vault.write { writers, _ throws(VaultError) in try writers.offers.decline(id, at: now) }
    }

    /// Keeps the form that an offer was made for, for `autofill.fill`.
    package func remember(_ form: DescribedForm, for offer: ObjectID) {
        request.session.memory.forms.remember(form, for: offer)
    }

    /// Keeps what was typed until the outcome is known.
    package func keep(_ submission: PendingSubmission) -> KeptObject {
        var entropy = vault.environment.entropy
        let id = "sub_" + ObjectID.random(.offer, using: &entropy).description.dropFirst(4)
        let now = vault.clock.steady
        let expires = request.session.memory.forms.submissions.keep(submission, as: id, at: now)
        return KeptObject(id: id, expires: expires)
    }

    /// - Returns: whether it was pending.
    package func withdraw(_ id: String) -> Bool {
        request.session.memory.forms.submissions.withdraw(id, at: vault.clock.steady)
    }

    /// Keeps the user name that was submitted without a password: the first page of two.
    package func rememberSubmitted(_ user: String, for service: Service) {
        request.session.memory.forms.rememberSubmitted(user, for: service)
    }

    /// The second page was submitted: its user name belongs to no other form.
    package func forgetSubmitted(for service: Service) { request.session.memory.forms.forgetSubmitted(for: service) }
}

/// An offer to be made: everything but its password.
package struct OfferPlan: Sendable {
    let subject: Subject
    let service: Service
    let form: String?
    package let generator: PasswordGenerator
    package let rules: PasswordRules
    /// The lengths that the fields accept.
    let lengths: ClosedRange<Int>

    package init(
        for subject: Subject, _ service: Service, form: String?, _ generator: PasswordGenerator, _ rules: PasswordRules,
        _ lengths: ClosedRange<Int>
    ) {
        (self.subject, self.service, self.form) = (subject, service, form)
        (self.generator, self.rules, self.lengths) = (generator, rules, lengths)
    }
}
