// SPDX-License-Identifier: Apache-2.0
import AutofillProtocol
import SecretMemory

/// Strong passwords that were offered, and one-time codes.
extension AutofillSession {
    /// Returns the app's pending offers, for all its sites. A password is never lost between the offer and the site's answer:
    /// it is found here.
    public func pendingOffers() async throws(AutofillError) -> [PendingOffer] {
        try await all({ OfferList(page: $0) }, { ($0.offers, $0.next) }, PendingOffer.init)
    }

    /// Returns the strong password that was offered, and the fields that it goes into: those of the form of the suggestion.
    /// An offer of another session has no fields here; ``fill(_:into:interaction:)`` returns them.
    public func fill(_ offer: some StrongPasswordOffer) async throws(AutofillError) -> FilledForm {
        try FilledForm(try await perform(AutofillFill(offer: offer.offer)))
    }

    /// Returns the strong password that was offered, and the fields of a form that it goes into.
    ///
    /// - Parameters:
    ///   - offer: a suggestion, or one of ``pendingOffers()``.
    ///   - form: the form as it is shown now.
    ///   - interaction: whether the user may be prompted, for example to unlock the vault.
    public func fill(
        _ offer: some StrongPasswordOffer, into form: AutofillForm, interaction: UserInteraction = .allowed
    ) async throws(AutofillError) -> FilledForm {
        try FilledForm(
            try await perform(
                AutofillFill(offer: offer.offer, form: FormDescription(form), interaction: interaction.wire),
                interaction))
    }

    /// Reports that the site accepted the strong password, which becomes a saved credential. Repeatable.
    ///
    /// - Parameters:
    ///   - user: the user name of the new account.
    ///   - interaction: whether the user may be prompted, if that user name has a password already.
    @discardableResult
    public func accept(
        _ offer: some StrongPasswordOffer, user: String, interaction: UserInteraction = .allowed
    ) async throws(AutofillError) -> SaveResult {
        SaveResult(
            try await perform(
                AutofillAccept(offer: offer.offer, user: user, interaction: interaction.wire), interaction))
    }

    /// Reports that the site accepted the strong password instead of an old one. The old one is kept. Repeatable.
    ///
    /// - Parameters:
    ///   - old: the credential whose password was changed.
    ///   - ifVersion: fails with ``AutofillReason/Code/versionMismatch`` if the credential was changed since.
    ///   - interaction: whether the user may be prompted, if another program or the user saved the credential.
    @discardableResult
    public func accept(
        _ offer: some StrongPasswordOffer, replacing old: SavedCredential.ID, ifVersion: String? = nil,
        interaction: UserInteraction = .allowed
    ) async throws(AutofillError) -> SaveResult {
        SaveResult(
            try await perform(
                AutofillAccept(
                    offer: offer.offer, replaces: old, ifVersion: ifVersion, interaction: interaction.wire), interaction
            ))
    }

    /// Reports that the user does not want the strong password. Repeatable.
    public func decline(_ offer: some StrongPasswordOffer) async throws(AutofillError) {
        _ = try await perform(AutofillDecline(offer: offer.offer))
    }

    // MARK: - One-time codes

    /// Sets the one-time codes of a saved credential: what iOS fills into a field of the content type `oneTimeCode`.
    ///
    /// - Parameters:
    ///   - uri: `otpauth://totp/…` or `otpauth://hotp/…`, as a site shows it when two-factor sign-in is turned on.
    ///   - user: the user name; nil for the account that the URI names.
    ///   - service: the site.
    ///   - interaction: whether the user may be prompted.
    @discardableResult
    public func setOneTimeCode(
        _ uri: String, user: String? = nil, for service: CredentialServiceIdentifier,
        interaction: UserInteraction = .allowed
    ) async throws(AutofillError) -> SaveResult {
        SaveResult(
            try await perform(
                CodeSet(
                    service: ServiceIdentifier(service), user: user, uri: SecretBytes(utf8: uri),
                    interaction: interaction.wire), interaction))
    }

    /// Returns the current code. A counter's code is a new one each time: this call is not repeated automatically.
    ///
    /// - Returns: nil if there is none.
    public func oneTimeCode(
        for service: CredentialServiceIdentifier, user: String? = nil, interaction: UserInteraction = .allowed
    ) async throws(AutofillError) -> OneTimeCode? {
        let call = CodeGet(service: ServiceIdentifier(service), user: user, interaction: interaction.wire)
        guard let answer = try await found(call, interaction, orRefusedFor: .codeNotFound) else { return nil }
        return OneTimeCode(
            code: String(answer.code), source: OneTimeCodeSource(rawValue: answer.source), user: answer.user,
            validUntil: try date(answer.validUntil), values: [:])
    }

    /// Deletes the one-time codes of a credential.
    ///
    /// - Returns: whether it had any.
    @discardableResult
    public func deleteOneTimeCode(
        user: String, for service: CredentialServiceIdentifier, interaction: UserInteraction = .allowed
    ) async throws(AutofillError) -> Bool {
        try await perform(
            CodeDelete(service: ServiceIdentifier(service), user: user, interaction: interaction.wire), interaction
        ).changed
    }

    /// Returns a suggested code, and the fields of the form that it goes into.
    public func fill(
        _ code: SuggestedOneTimeCode, into form: AutofillForm, interaction: UserInteraction = .allowed
    ) async throws(AutofillError) -> OneTimeCode {
        let answer = try await perform(
            AutofillFill(code: code.id, form: FormDescription(form), interaction: interaction.wire), interaction)
        guard let digits = answer.code else { throw .answerNotUnderstood("autofill.fill: a code is missing") }
        return OneTimeCode(
            code: String(digits), source: code.source, user: answer.user, validUntil: try date(answer.validUntil),
            values: Dictionary(answer.values.map { ($0.field, String($0.value)) }) { first, _ in first })
    }

    /// Hands over a code that this app received, for any app that shows a form of that site. Requires the entitlement
    /// `org.autofilld.one-time-code-source`.
    public func offerOneTimeCode(
        _ code: String, for service: CredentialServiceIdentifier
    ) async throws(AutofillError) {
        _ = try await perform(CodeOffer(service: ServiceIdentifier(service), code: SecretBytes(utf8: code)))
    }
}
