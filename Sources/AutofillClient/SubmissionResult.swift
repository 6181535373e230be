// SPDX-License-Identifier: Apache-2.0
import AutofillProtocol

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
