// SPDX-License-Identifier: Apache-2.0
// Generated from Sources/AutofillProtocol by Tests/AutofillProtocolTests/Clients. Do not edit.
import AutofillProtocol

/// The saved credentials for the site of a form.
public struct SavedCredentialsSuggestion: Hashable, Sendable {
    /// The fields for the user name and the password.
    public let fields: [String]
    /// Those that the app may know: all under a grant, else those that this connection saved itself.
    public let credentials: [SavedCredential]
    /// Those of the app's other associated domains.
    public let related: [SavedCredential]
    /// Those of domains that share their accounts with this one.
    public let shared: [SavedCredential]
    /// Whether there are others: those that were used last are listed.
    public let hasMore: Bool

    init(_ report: AutofillProtocol.SavedCredentialsSuggestion) throws(AutofillError) {
        fields = report.fields
        credentials = try report.credentials.map(SavedCredential.init)
        related = try report.related.map(SavedCredential.init)
        shared = try report.shared.map(SavedCredential.init)
        hasMore = report.hasMore
    }
}
