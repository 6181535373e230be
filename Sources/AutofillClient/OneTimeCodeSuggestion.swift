// SPDX-License-Identifier: Apache-2.0
import AutofillProtocol
public import FoundationEssentials

/// The one-time codes that a form can be filled with.
public struct OneTimeCodeSuggestion: Hashable, Sendable {
    /// The fields that get the code.
    public let fields: [String]
    /// The ones that the app may know: all under a grant, else those it saved itself in this session.
    public let codes: [SuggestedOneTimeCode]

    init(_ suggestion: AutofillProtocol.OneTimeCodeSuggestion) throws(AutofillError) {
        fields = suggestion.fields
        codes = try suggestion.codes.map(SuggestedOneTimeCode.init)
    }
}

/// A code that can be filled; the code itself comes with ``AutofillSession/fill(_:into:interaction:)``.
public struct SuggestedOneTimeCode: Hashable, Sendable, Identifiable {
    /// Its name.
    public let id: String
    /// Where it comes from.
    public let source: OneTimeCodeSource
    /// Whose it is; nil for one that came in.
    public let user: String?
    /// Until when it can be filled; nil where there is no end.
    public let expires: Date?

    init(_ code: SuggestedCode) throws(AutofillError) {
        id = code.code
        source = OneTimeCodeSource(rawValue: code.source)
        user = code.user
        expires = try date(code.expires)
    }
}
