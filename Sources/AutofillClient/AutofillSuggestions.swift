// SPDX-License-Identifier: Apache-2.0
import AutofillProtocol

/// What can be filled into a form, and what is withheld and why.
public struct AutofillSuggestions: Hashable, Sendable {
    /// What the form was taken for: `signUp`, `signIn`, `changePassword`, `oneTimeCode`, `other`.
    public let formKind: String
    /// Why it was taken for that, and each field for its part: sentences for people.
    public let grounds: [String]
    /// Where the person changes the password of the site, where that is known.
    public let changePasswordAddress: String?
    /// Whether the site is known to want a one-time code right behind the password, in the same field.
    public let appendsOneTimeCode: Bool
    /// Domains that are known to share their accounts with the site.
    public let domainsSharingCredentials: [String]
    /// A strong password, where one may be offered.
    public let strongPassword: StrongPasswordSuggestion?
    /// What is saved for the site, where the form has room for it.
    public let savedCredentials: SavedCredentialsSuggestion?
    /// One-time codes, where the form has a field for one.
    public let oneTimeCode: OneTimeCodeSuggestion?
    /// Why there is no strong password, in the order of protocol.md; empty where there is one.
    public let strongPasswordWithheld: [AutofillReason]
    /// Why nothing that is saved is suggested; empty where it is, or where nothing is saved.
    public let savedCredentialsWithheld: [AutofillReason]
    /// Why no one-time code is suggested; empty where one is, or where there is none.
    public let oneTimeCodeWithheld: [AutofillReason]

    init(_ answer: AutofillSuggest.Answer) {
        formKind = answer.formKind
        grounds = answer.grounds
        changePasswordAddress = answer.site?.changePassword
        appendsOneTimeCode = answer.site?.appendsCode ?? false
        domainsSharingCredentials = answer.site?.sharesCredentials ?? []
        strongPassword = answer.strongPassword.map(StrongPasswordSuggestion.init)
        savedCredentials = answer.savedCredentials.map(SavedCredentialsSuggestion.init)
        oneTimeCode = answer.oneTimeCode.map(OneTimeCodeSuggestion.init)
        func withheld(_ type: String) -> [AutofillReason] {
            answer.withheld.filter { $0.type == type }.flatMap(\.reasons).map(AutofillReason.init)
        }
        strongPasswordWithheld = withheld("strongPassword")
        savedCredentialsWithheld = withheld("savedCredentials")
        oneTimeCodeWithheld = withheld("oneTimeCode")
    }
}

/// A strong password that waits, safe in the vault, to be taken or declined. The password itself comes with
/// ``AutofillSession/fill(_:)``.
public struct StrongPasswordSuggestion: Hashable, Sendable {
    /// The name of the offer; it survives a restart of the service until `expires`.
    public let offer: String
    /// The fields that get it: the new password's and its confirmation's.
    public let fields: [String]
    /// The rules it was drawn under, in canonical form.
    public let rules: String
    /// In characters.
    public let length: Int
    /// How many passwords it was drawn from, uniformly: exact, in decimal.
    public let count: String
    /// The base-2 logarithm of that, to two decimals, rounded down.
    public let bits: String
    /// How it looks: `readable` or `random`, and how far.
    public let style: String
    /// Until when it can be accepted, RFC 3339.
    public let expires: String
    /// What was left out of the rules, for the developer.
    public let diagnostics: [String]

    init(_ suggestion: AutofillProtocol.StrongPasswordSuggestion) {
        offer = suggestion.offer
        fields = suggestion.fields
        rules = suggestion.rules
        length = suggestion.length
        count = suggestion.count
        bits = suggestion.bits
        style = suggestion.style
        expires = suggestion.expires
        diagnostics = suggestion.diagnostics
    }
}

/// What is saved for the site of a form.
public struct SavedCredentialsSuggestion: Hashable, Sendable {
    /// The fields that get the user name and the password.
    public let fields: [String]
    /// How many there are.
    public let count: Int
    /// The ones whose names the app may know: all under a grant, else those it saved itself in this session.
    public let credentials: [SavedCredential]
    /// Those of the app's other associated domains.
    public let related: [SavedCredential]
    /// Those of domains that are known to share their accounts with the site.
    public let shared: [SavedCredential]

    init(_ suggestion: AutofillProtocol.SavedCredentialsSuggestion) {
        fields = suggestion.fields
        count = suggestion.count
        credentials = suggestion.credentials.map(SavedCredential.init)
        related = suggestion.related.map(SavedCredential.init)
        shared = suggestion.shared.map(SavedCredential.init)
    }
}
