// SPDX-License-Identifier: Apache-2.0
import AutofillProtocol

/// Automatic Strong Passwords and Password AutoFill.
extension AutofillSession {
    /// What can be filled into a form. A strong password is in the vault before this returns, so that it is never lost.
    ///
    /// - Parameters:
    ///   - form: the form as it is shown now.
    ///   - style: how a strong password looks; the person's setting where it is left out.
    /// - Returns: the suggestions, and for each that is withheld the reasons.
    public func suggestions(
        for form: AutofillForm, style: PasswordStyle? = nil
    ) async throws(AutofillError) -> AutofillSuggestions {
        AutofillSuggestions(
            try await perform(
                AutofillSuggest(
                    service: ServiceIdentifier(form.service), form: form.id, declaredForm: form.declaredForm,
                    fields: form.fields.map(FieldDescription.init),
                    style: style?.rawValue)))
    }

    /// The strong password that was offered, and the fields it goes into.
    public func fill(_ suggestion: StrongPasswordSuggestion) async throws(AutofillError) -> FilledForm {
        FilledForm(try await perform(AutofillFill(offer: suggestion.offer)))
    }

    /// A saved credential, and the fields of the form that it goes into.
    ///
    /// - Parameters:
    ///   - credential: one of the suggested ones.
    ///   - form: the form that was suggested for.
    ///   - interaction: whether the person may be asked.
    public func fill(
        _ credential: SavedCredential, into form: AutofillForm, interaction: UserInteraction = .allowed
    ) async throws(AutofillError) -> FilledForm {
        FilledForm(
            try await perform(
                AutofillFill(
                    credential: credential.id, fields: form.fields.map(FieldDescription.init),
                    interaction: interaction.wire)))
    }

    /// The site took the strong password: it is now the user's. May be repeated.
    ///
    /// - Parameter user: the user name that was signed up with.
    @discardableResult
    public func accept(
        _ suggestion: StrongPasswordSuggestion, user: String
    ) async throws(AutofillError) -> SaveResult {
        SaveResult(try await perform(AutofillAccept(offer: suggestion.offer, user: user)))
    }

    /// The site took the strong password in place of an old one; the old one is kept. May be repeated.
    ///
    /// - Parameters:
    ///   - old: the credential whose password was changed.
    ///   - ifVersion: fails with ``AutofillReason/Code/versionMismatch`` where it has changed since.
    @discardableResult
    public func accept(
        _ suggestion: StrongPasswordSuggestion, replacing old: SavedCredential.ID, ifVersion: Int? = nil
    ) async throws(AutofillError) -> SaveResult {
        SaveResult(try await perform(AutofillAccept(offer: suggestion.offer, replaces: old, ifVersion: ifVersion)))
    }

    /// The person does not want the strong password. May be repeated.
    public func decline(_ suggestion: StrongPasswordSuggestion) async throws(AutofillError) {
        _ = try await perform(AutofillDecline(offer: suggestion.offer))
    }

    /// Every condition of AutoFill for this app, held or not, with evidence and fix.
    ///
    /// - Parameters:
    ///   - service: the site that it is asked for; without one the conditions that depend on it are left open.
    ///   - form: the form; its site counts where `service` is left out.
    public func diagnose(
        for service: CredentialServiceIdentifier? = nil, form: AutofillForm? = nil
    ) async throws(AutofillError) -> AutofillDiagnosis {
        AutofillDiagnosis(
            try await perform(
                Diagnose(
                    service: (service ?? form?.service).map(ServiceIdentifier.init),
                    fields: form?.fields.map(FieldDescription.init))))
    }
}
