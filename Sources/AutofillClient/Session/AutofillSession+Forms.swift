// SPDX-License-Identifier: Apache-2.0
import AutofillProtocol

/// Automatic Strong Passwords and Password AutoFill.
extension AutofillSession {
    /// Returns what can be filled into a form. A strong password is in the vault before this returns, so it is never lost.
    ///
    /// - Parameters:
    ///   - form: the form as it is shown now.
    ///   - focus: the id of the field that has the focus; then only what goes into it is suggested or withheld. If nothing can
    ///     be offered, the service's journal has the reason, once for each field and form, as Apple's does.
    ///   - style: the style of a strong password; nil for the user's setting.
    /// - Returns: the suggestions, and the reasons for each that is withheld.
    public func suggestions(
        for form: AutofillForm, focus: FormField.ID? = nil, style: PasswordStyle? = nil
    ) async throws(AutofillError) -> AutofillSuggestions {
        try AutofillSuggestions(
            try await perform(
                AutofillSuggest(
                    service: ServiceIdentifier(form.service), form: FormDescription(form, focus: focus),
                    style: style?.rawValue)))
    }

    /// Fills a saved credential of the form's site: the only one, if the user has allowed the app what is saved there, else the
    /// one that the user selects in the service's prompt. The app learns nothing of the others.
    ///
    /// - Parameters:
    ///   - form: the form as it is shown now.
    ///   - interaction: whether the user may be prompted.
    /// - Returns: nil if nothing is saved.
    public func fill(
        _ form: AutofillForm, interaction: UserInteraction = .allowed
    ) async throws(AutofillError) -> FilledForm? {
        let call = AutofillFill(
            service: ServiceIdentifier(form.service), form: FormDescription(form), interaction: interaction.wire)
        guard let answer = try await found(call, interaction, orRefusedFor: .credentialNotFound) else { return nil }
        return try FilledForm(answer)
    }

    /// Returns a saved credential, and the fields of the form that it goes into.
    ///
    /// - Parameters:
    ///   - credential: one of the suggested ones.
    ///   - form: the form of the suggestion.
    ///   - interaction: whether the user may be prompted.
    public func fill(
        _ credential: SavedCredential, into form: AutofillForm, interaction: UserInteraction = .allowed
    ) async throws(AutofillError) -> FilledForm {
        try FilledForm(
            try await perform(
                AutofillFill(
                    credential: credential.id, form: FormDescription(form), interaction: interaction.wire), interaction)
        )
    }

    /// Reports that the user has sent a form. Nothing is saved before ``confirm(_:interaction:)``.
    ///
    /// - Parameters:
    ///   - form: the form that was sent.
    ///   - values: the values of its fields, by their ids.
    ///   - interaction: whether the user may be prompted to unlock the vault.
    /// - Returns: what is to be confirmed or withdrawn when the site has answered; nil if the form has no password.
    @discardableResult
    public func submit(
        _ form: AutofillForm, values: [FormField.ID: String], interaction: UserInteraction = .allowed
    ) async throws(AutofillError) -> FormSubmission? {
        FormSubmission(
            try await perform(
                AutofillSubmit(
                    service: ServiceIdentifier(form.service), form: FormDescription(form, values: values),
                    interaction: interaction.wire), interaction))
    }

    /// Reports that the site accepted a form that was sent. What the user typed is saved, or the user is prompted whether it
    /// should be; a strong password is accepted.
    ///
    /// - Parameters:
    ///   - submission: what ``submit(_:values:interaction:)`` returned. It is valid for an hour, until the vault is locked or
    ///     the connection to the service ends; after that, submit the form again.
    ///   - interaction: whether the user may be prompted.
    @discardableResult
    public func confirm(
        _ submission: FormSubmission, interaction: UserInteraction = .allowed
    ) async throws(AutofillError) -> SubmissionResult {
        SubmissionResult(
            try await perform(
                AutofillConfirm(submission: submission.id, interaction: interaction.wire), interaction))
    }

    /// Reports that the site refused a form that was sent. Nothing of it is saved.
    ///
    /// - Returns: whether it was pending.
    @discardableResult
    public func withdraw(_ submission: FormSubmission) async throws(AutofillError) -> Bool {
        try await perform(AutofillWithdraw(submission: submission.id)).changed
    }

    /// Returns every condition of AutoFill for this app, met or not, with evidence and fix.
    ///
    /// - Parameters:
    ///   - service: the site; without one the conditions that depend on it are left open.
    ///   - form: the form; its site is used if `service` is nil.
    public func diagnose(
        for service: CredentialServiceIdentifier? = nil, form: AutofillForm? = nil
    ) async throws(AutofillError) -> AutofillDiagnosis {
        AutofillDiagnosis(
            try await perform(
                Diagnose(
                    service: (service ?? form?.service).map(ServiceIdentifier.init),
                    form: form.map { FormDescription($0) })))
    }
}
