// SPDX-License-Identifier: Apache-2.0
import AutofillProtocol
import SecretMemory

/// What the person typed, once the site took it.
extension AutofillSession {
    /// The site took the form as the person filled it: it is saved, or the person is asked whether it should be. May be
    /// repeated.
    ///
    /// - Parameters:
    ///   - form: the form that was sent.
    ///   - values: what stood in its fields, by their ids.
    ///   - interaction: whether the person may be asked.
    @discardableResult
    public func submitted(
        _ form: AutofillForm, values: [FormField.ID: String], interaction: UserInteraction = .allowed
    ) async throws(AutofillError) -> SubmissionResult {
        let fields = form.fields.map { field in
            var description = FieldDescription(field)
            description.value = values[field.id].map { SecretBytes(utf8: $0) }
            return description
        }
        return SubmissionResult(
            try await perform(
                AutofillSubmitted(
                    service: ServiceIdentifier(form.service), form: form.id, declaredForm: form.declaredForm,
                    fields: fields, words: form.words, interaction: interaction.wire)))
    }
}
