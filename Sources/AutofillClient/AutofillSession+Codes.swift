// SPDX-License-Identifier: Apache-2.0
import AutofillProtocol
import SecretMemory

/// Security codes: what iOS fills into a field of the content type `oneTimeCode`.
extension AutofillSession {
    /// Gives a saved credential its codes.
    ///
    /// - Parameters:
    ///   - uri: `otpauth://totp/…` or `otpauth://hotp/…`, as a site shows it when two-factor sign-in is turned on.
    ///   - user: the user name; the account that the URI names where it is left out.
    ///   - service: the site.
    ///   - interaction: whether the person may be asked.
    @discardableResult
    public func setOneTimeCode(
        _ uri: String, user: String? = nil, for service: CredentialServiceIdentifier,
        interaction: UserInteraction = .allowed
    ) async throws(AutofillError) -> SaveResult {
        SaveResult(
            try await perform(
                CodeSet(
                    service: ServiceIdentifier(service), user: user, uri: SecretBytes(utf8: uri),
                    interaction: interaction.wire)))
    }

    /// The code of now. One that goes by a counter is a new one each time: this call is not repeated by itself.
    ///
    /// - Returns: nil where there is none.
    public func oneTimeCode(
        for service: CredentialServiceIdentifier, user: String? = nil, interaction: UserInteraction = .allowed
    ) async throws(AutofillError) -> OneTimeCode? {
        let call = CodeGet(service: ServiceIdentifier(service), user: user, interaction: interaction.wire)
        guard let answer = try await found(call, orRefusedFor: .codeNotFound) else { return nil }
        return OneTimeCode(
            code: String(answer.code), source: OneTimeCodeSource(rawValue: answer.source), user: answer.user,
            validUntil: try date(answer.validUntil), values: [:])
    }

    /// Takes the codes from a credential.
    ///
    /// - Returns: whether it had any.
    @discardableResult
    public func deleteOneTimeCode(
        user: String, for service: CredentialServiceIdentifier, interaction: UserInteraction = .allowed
    ) async throws(AutofillError) -> Bool {
        try await perform(
            CodeDelete(service: ServiceIdentifier(service), user: user, interaction: interaction.wire)
        ).changed
    }

    /// A suggested code, and the fields of the form that it goes into.
    public func fill(
        _ code: SuggestedOneTimeCode, into form: AutofillForm, interaction: UserInteraction = .allowed
    ) async throws(AutofillError) -> OneTimeCode {
        let answer = try await perform(
            AutofillFill(
                code: code.id, fields: form.fields.map(FieldDescription.init), words: form.words,
                interaction: interaction.wire))
        guard let digits = answer.code else { throw .answerNotUnderstood("autofill.fill: a code is missing") }
        return OneTimeCode(
            code: String(digits), source: code.source, user: answer.user, validUntil: try date(answer.validUntil),
            values: Dictionary(answer.values.map { ($0.field, String($0.value)) }) { first, _ in first })
    }

    /// Hands over a code that this app received, for whichever app shows a form of that site. It takes the entitlement
    /// `org.autofilld.one-time-code-source`.
    public func offerOneTimeCode(
        _ code: String, for service: CredentialServiceIdentifier
    ) async throws(AutofillError) {
        _ = try await perform(CodeOffer(service: ServiceIdentifier(service), code: SecretBytes(utf8: code)))
    }
}
