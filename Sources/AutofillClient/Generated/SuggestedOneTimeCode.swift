// SPDX-License-Identifier: Apache-2.0
// Generated from Sources/AutofillProtocol by Tests/AutofillProtocolTests/Clients. Do not edit.
import AutofillProtocol
public import FoundationEssentials

/// A code that can be filled. ``AutofillSession/fill(_:into:interaction:)`` returns the code itself.
public struct SuggestedOneTimeCode: Hashable, Sendable, Identifiable {
    /// Its id, for `autofill.fill`.
    public let id: String
    /// `time`, `counter` or `incoming`.
    public let source: OneTimeCodeSource
    /// The user name.
    public let user: String?
    /// The end of the time in which it can be filled; nil if there is no end.
    public let expires: Date?

    init(_ report: SuggestedCode) throws(AutofillError) {
        id = report.code
        source = OneTimeCodeSource(rawValue: report.source)
        user = report.user
        expires = try date(report.expires)
    }
}
