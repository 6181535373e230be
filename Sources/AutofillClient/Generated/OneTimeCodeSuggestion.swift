// SPDX-License-Identifier: Apache-2.0
// Generated from Sources/AutofillProtocol by Tests/AutofillProtocolTests/Clients. Do not edit.
import AutofillProtocol

/// The one-time codes that can be filled into a form.
public struct OneTimeCodeSuggestion: Hashable, Sendable {
    /// The fields for the code.
    public let fields: [String]
    /// Those that the app may know, incoming ones first; without a grant those that this connection set itself.
    public let codes: [SuggestedOneTimeCode]

    init(_ report: AutofillProtocol.OneTimeCodeSuggestion) throws(AutofillError) {
        fields = report.fields
        codes = try report.codes.map(SuggestedOneTimeCode.init)
    }
}
