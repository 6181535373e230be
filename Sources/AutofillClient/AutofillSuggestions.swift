// SPDX-License-Identifier: Apache-2.0
import AutofillProtocol
public import FoundationEssentials

/// What can be filled into a form, and what is withheld and why.
public struct AutofillSuggestions: Hashable, Sendable {
    /// What the form was taken for.
    public let formKind: FormKind
    /// Why it was taken for that, and each field for its part: sentences for people.
    public let grounds: [String]
    /// What each field was taken for, by its id.
    public let roles: [FormField.ID: FieldRole]
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
    public let bits: Double
    /// How it looks.
    public let style: Style
    /// Until when it can be accepted.
    public let expires: Date
    /// What was left out of the rules, for the developer.
    public let diagnostics: [String]

    /// How a strong password came to look.
    public struct Style: ProtocolWord {
        /// As it stands on the wire.
        public let rawValue: String

        /// A word as it stands on the wire.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// Groups of letters that can be read out and typed, with dashes between them.
        public static let readable = Self(rawValue: "readable")
        /// The same without dashes, which the rules do not allow.
        public static let readableWithoutDashes = Self(rawValue: "readableWithoutDashes")
        /// Any characters that the rules allow.
        public static let random = Self(rawValue: "random")
    }

    init(_ suggestion: AutofillProtocol.StrongPasswordSuggestion) throws(AutofillError) {
        offer = suggestion.offer
        fields = suggestion.fields
        rules = suggestion.rules
        length = suggestion.length
        count = suggestion.count
        guard let bits = Double(suggestion.bits) else { throw .answerNotUnderstood("\(suggestion.bits) is no number") }
        self.bits = bits
        style = Style(rawValue: suggestion.style)
        expires = try Date(wire: suggestion.expires)
        diagnostics = suggestion.diagnostics
    }
}

/// What is saved for the site of a form.
public struct SavedCredentialsSuggestion: Hashable, Sendable {
    /// The fields that get the user name and the password.
    public let fields: [String]
    /// The ones whose names the app may know: all under a grant, else those it saved itself in this session.
    public let credentials: [SavedCredential]
    /// Those of the app's other associated domains.
    public let related: [SavedCredential]
    /// Those of domains that are known to share their accounts with the site.
    public let shared: [SavedCredential]
    /// Whether there are others: those that were used last are told.
    public let hasMore: Bool

    init(_ suggestion: AutofillProtocol.SavedCredentialsSuggestion) throws(AutofillError) {
        fields = suggestion.fields
        credentials = try suggestion.credentials.map(SavedCredential.init)
        related = try suggestion.related.map(SavedCredential.init)
        shared = try suggestion.shared.map(SavedCredential.init)
        hasMore = suggestion.hasMore
    }
}
