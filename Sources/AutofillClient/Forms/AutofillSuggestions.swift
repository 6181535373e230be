// SPDX-License-Identifier: Apache-2.0
import AutofillProtocol

/// What can be filled into a form, and what is withheld and why.
public struct AutofillSuggestions: Hashable, Sendable {
    /// The kind of the form.
    public let formKind: FormKind
    /// The reasons for the kind and for the role of each field: sentences for people.
    public let grounds: [String]
    /// The role of each field, by its id.
    public let roles: [FormField.ID: FieldRole]
    /// The URL at which the user changes the password of the site, if it is known.
    public let changePasswordAddress: String?
    /// Whether the site expects a one-time code directly after the password, in the same field.
    public let appendsOneTimeCode: Bool
    /// Domains that share their accounts with the site.
    public let domainsSharingCredentials: [String]
    /// A strong password, if one is offered.
    public let strongPassword: StrongPasswordSuggestion?
    /// The saved credentials of the site, if the form has fields for them.
    public let savedCredentials: SavedCredentialsSuggestion?
    /// One-time codes, if the form has a field for one.
    public let oneTimeCode: OneTimeCodeSuggestion?
    /// Why there is no strong password, in the order of protocol.md; empty if there is one.
    public let strongPasswordWithheld: [AutofillReason]
    /// Why no saved credential is suggested; empty if one is, or if nothing is saved.
    public let savedCredentialsWithheld: [AutofillReason]
    /// Why no one-time code is suggested; empty if one is, or if there is none.
    public let oneTimeCodeWithheld: [AutofillReason]

    init(_ answer: AutofillSuggest.Answer) throws(AutofillError) {
        formKind = FormKind(rawValue: answer.formKind)
        grounds = answer.grounds
        roles = Dictionary(answer.roles.map { ($0.field, FieldRole(rawValue: $0.role)) }) { first, _ in first }
        changePasswordAddress = answer.site?.changePassword
        appendsOneTimeCode = answer.site?.appendsCode ?? false
        domainsSharingCredentials = answer.site?.sharesCredentials ?? []
        strongPassword = try answer.strongPassword.map(StrongPasswordSuggestion.init)
        savedCredentials = try answer.savedCredentials.map(SavedCredentialsSuggestion.init)
        oneTimeCode = try answer.oneTimeCode.map(OneTimeCodeSuggestion.init)
        func withheld(_ type: String) -> [AutofillReason] {
            answer.withheld.filter { $0.type == type }.flatMap(\.reasons).map(AutofillReason.init)
        }
        strongPasswordWithheld = withheld("strongPassword")
        savedCredentialsWithheld = withheld("savedCredentials")
        oneTimeCodeWithheld = withheld("oneTimeCode")
    }
}
