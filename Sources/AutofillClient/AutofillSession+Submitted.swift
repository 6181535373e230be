// SPDX-License-Identifier: Apache-2.0
import AutofillProtocol
import SecretMemory

/// What happens in a form beside filling it.
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
                    fields: fields, interaction: interaction.wire)))
    }
}

/// What a field that has the focus is for.
public struct FocusedField: Hashable, Sendable {
    /// What the form was taken for: `signUp`, `signIn`, `changePassword`, `oneTimeCode`, `other`.
    public let formKind: String
    /// What the field was taken for: `username`, `password`, `newPassword`, `confirmation`, `oneTimeCode`, and others.
    public let role: String
    /// Why, in sentences for people.
    public let grounds: [String]
    /// What ``AutofillSession/suggestions(for:style:)`` suggests for it: `strongPassword`, `savedCredentials`,
    /// `oneTimeCode`.
    public let suggests: [String]
    /// Why nothing is suggested, in the order of protocol.md.
    public let reasons: [AutofillReason]

    init(_ answer: AutofillFocus.Answer) {
        formKind = answer.formKind
        role = answer.role
        grounds = answer.grounds
        suggests = answer.suggests
        reasons = answer.withheld.flatMap(\.reasons).map(AutofillReason.init)
    }
}

/// What became of a form that the person filled.
public struct SubmissionResult: Hashable, Sendable {
    /// `saved`, `updated`, `unchanged`, or `nothing` where the form held nothing to save.
    public let outcome: String
    /// The credential in the vault, where there is one.
    public let credential: SavedCredential.ID?
    /// Whether anything was saved.
    public let isChanged: Bool

    init(_ answer: AutofillSubmitted.Answer) {
        outcome = answer.outcome
        credential = answer.credential
        isChanged = answer.changed
    }
}
