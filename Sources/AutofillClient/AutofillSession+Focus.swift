// SPDX-License-Identifier: Apache-2.0
import AutofillProtocol

/// Which field the person is at.
extension AutofillSession {
    /// A field of the form got the focus. Nothing is offered; where nothing could be, the service's journal says why, once
    /// for each field and form, as Apple's does.
    ///
    /// - Parameters:
    ///   - field: the field's id.
    ///   - form: the form as it is shown now.
    public func focused(_ field: FormField.ID, in form: AutofillForm) async throws(AutofillError) -> FocusedField {
        FocusedField(
            try await perform(
                AutofillFocus(
                    service: ServiceIdentifier(form.service), form: form.id, declaredForm: form.declaredForm,
                    fields: form.fields.map(FieldDescription.init), field: field)))
    }
}
