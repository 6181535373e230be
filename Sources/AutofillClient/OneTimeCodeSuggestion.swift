// SPDX-License-Identifier: Apache-2.0
import AutofillProtocol

/// The one-time codes that a form can be filled with.
public struct OneTimeCodeSuggestion: Hashable, Sendable {
    /// The fields that get the code.
    public let fields: [String]
    /// How many there are.
    public let count: Int
    /// The ones that the app may know: all under a grant, else those it saved itself in this session.
    public let codes: [SuggestedOneTimeCode]

    init(_ suggestion: AutofillProtocol.OneTimeCodeSuggestion) {
        fields = suggestion.fields
        count = suggestion.count
        codes = suggestion.codes.map(SuggestedOneTimeCode.init)
    }
}

/// A code that can be filled; the code itself comes with ``AutofillSession/fill(_:into:interaction:)``.
public struct SuggestedOneTimeCode: Hashable, Sendable, Identifiable {
    /// Its name.
    public let id: String
    /// `time`, `counter`, or `incoming` for one that another app received.
    public let source: String
    /// Whose it is; nil for one that came in.
    public let user: String?
    /// Until when it can be filled, RFC 3339; nil where there is no end.
    public let expires: String?

    init(_ code: SuggestedCode) {
        id = code.code
        source = code.source
        user = code.user
        expires = code.expires
    }
}
