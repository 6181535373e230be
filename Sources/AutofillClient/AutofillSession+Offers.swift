// SPDX-License-Identifier: Apache-2.0
import AutofillProtocol

/// Automatic Strong Passwords: what becomes of an offer.
extension AutofillSession {
    /// The app's own offers that wait, for all its sites. No password is ever lost between the offer and the site's answer:
    /// here it is found again.
    public func pendingOffers() async throws(AutofillError) -> [PendingOffer] {
        try await all({ OfferList(page: $0) }, { ($0.offers, $0.next) }, PendingOffer.init)
    }

    /// The strong password that was offered, and the fields it goes into: those of the form that was suggested for. An
    /// offer of another session has no fields here; ``fill(_:into:interaction:)`` names them.
    public func fill(_ offer: some StrongPasswordOffer) async throws(AutofillError) -> FilledForm {
        try FilledForm(try await perform(AutofillFill(offer: offer.offer)))
    }

    /// The strong password that was offered, and the fields of a form that it goes into: for an offer that is found again.
    ///
    /// - Parameters:
    ///   - offer: a suggestion, or one of ``pendingOffers()``.
    ///   - form: the form as it is shown now.
    ///   - interaction: whether the person may be asked: to unlock the vault, say.
    public func fill(
        _ offer: some StrongPasswordOffer, into form: AutofillForm, interaction: UserInteraction = .allowed
    ) async throws(AutofillError) -> FilledForm {
        try FilledForm(
            try await perform(
                AutofillFill(
                    offer: offer.offer, declaredForm: form.declaredForm,
                    fields: form.fields.map(FieldDescription.init), words: form.words,
                    interaction: interaction.wire)))
    }

    /// The site took the strong password: it is now the user's. May be repeated.
    ///
    /// - Parameters:
    ///   - user: the user name that was signed up with.
    ///   - interaction: whether the person may be asked, where that user has a password already.
    @discardableResult
    public func accept(
        _ offer: some StrongPasswordOffer, user: String, interaction: UserInteraction = .allowed
    ) async throws(AutofillError) -> SaveResult {
        SaveResult(
            try await perform(AutofillAccept(offer: offer.offer, user: user, interaction: interaction.wire)))
    }

    /// The site took the strong password in place of an old one; the old one is kept. May be repeated.
    ///
    /// - Parameters:
    ///   - old: the credential whose password was changed.
    ///   - ifVersion: fails with ``AutofillReason/Code/versionMismatch`` where it has changed since.
    ///   - interaction: whether the person may be asked, where another program or they themselves saved it.
    @discardableResult
    public func accept(
        _ offer: some StrongPasswordOffer, replacing old: SavedCredential.ID, ifVersion: String? = nil,
        interaction: UserInteraction = .allowed
    ) async throws(AutofillError) -> SaveResult {
        SaveResult(
            try await perform(
                AutofillAccept(
                    offer: offer.offer, replaces: old, ifVersion: ifVersion, interaction: interaction.wire)))
    }

    /// The person does not want the strong password. May be repeated.
    public func decline(_ offer: some StrongPasswordOffer) async throws(AutofillError) {
        _ = try await perform(AutofillDecline(offer: offer.offer))
    }

    /// All pages of a list, one after the other.
    func all<Call: MethodCall, Report, Element>(
        _ call: (PageRequest) -> Call, _ read: (Call.Answer) -> (elements: [Report], next: String?),
        _ make: (Report) throws(AutofillError) -> Element
    ) async throws(AutofillError) -> [Element] {
        let reports = try await PageRequest.all { page async throws(AutofillError) in
            read(try await perform(call(page)))
        }
        return try reports.map(make)
    }
}
