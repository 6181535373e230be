// SPDX-License-Identifier: Apache-2.0
import AutofillProtocol

/// Automatic Strong Passwords and Password AutoFill.
extension AutofillSession {
    /// What can be filled into a form. A strong password is in the vault before this returns, so that it is never lost.
    ///
    /// - Parameters:
    ///   - form: the form as it is shown now.
    ///   - focus: the id of the field that has the focus; then only what goes into it is suggested or withheld. Where nothing can
    ///     be offered, the service's journal says why, once for each field and form, as Apple's does.
    ///   - style: how a strong password looks; the person's setting where it is left out.
    /// - Returns: the suggestions, and for each that is withheld the reasons.
    public func suggestions(
        for form: AutofillForm, focus: FormField.ID? = nil, style: PasswordStyle? = nil
    ) async throws(AutofillError) -> AutofillSuggestions {
        try AutofillSuggestions(
            try await perform(
                AutofillSuggest(
                    service: ServiceIdentifier(form.service), form: form.id, declaredForm: form.declaredForm,
                    fields: form.fields.map(FieldDescription.init), words: form.words, focus: focus,
                    style: style?.rawValue)))
    }

    /// A saved credential of the form's site: the only one, where the person has allowed the app what is saved there, else the one
    /// that they pick in the service's prompt. Of others the app learns nothing.
    ///
    /// - Parameters:
    ///   - form: the form as it is shown now.
    ///   - interaction: whether the person may be asked.
    /// - Returns: nil where nothing is saved.
    public func fill(
        _ form: AutofillForm, interaction: UserInteraction = .allowed
    ) async throws(AutofillError) -> FilledForm? {
        let call = AutofillFill(
            service: ServiceIdentifier(form.service), declaredForm: form.declaredForm,
            fields: form.fields.map(FieldDescription.init), words: form.words, interaction: interaction.wire)
        guard let answer = try await found(call, orRefusedFor: .credentialNotFound) else { return nil }
        return try FilledForm(answer)
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
        try FilledForm(
            try await perform(
                AutofillFill(
                    credential: credential.id, declaredForm: form.declaredForm,
                    fields: form.fields.map(FieldDescription.init), words: form.words,
                    interaction: interaction.wire)))
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
                    declaredForm: form?.declaredForm,
                    fields: form?.fields.map(FieldDescription.init), words: form?.words ?? FormWords())))
    }
}
