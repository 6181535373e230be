// SPDX-License-Identifier: Apache-2.0
import AutofillProtocol

/// What a field that has the focus is for.
public struct FocusedField: Hashable, Sendable {
    /// What the form was taken for: `signUp`, `signIn`, `changePassword`, `oneTimeCode`, `other`.
    public let formKind: String
    /// What the field was taken for: `username`, `password`, `newPassword`, `confirmation`, `oneTimeCode`, and others.
    public let role: String
    /// Why, in sentences for people.
    public let grounds: [String]
    /// What ``AutofillSession/suggestions(for:style:)`` suggests for it: `strongPassword`, `savedCredentials`,
    /// `oneTimeCode`.
    public let suggests: [String]
    /// Why nothing is suggested, in the order of protocol.md.
    public let reasons: [AutofillReason]

    init(_ answer: AutofillFocus.Answer) {
        formKind = answer.formKind
        role = answer.role
        grounds = answer.grounds
        suggests = answer.suggests
        reasons = answer.withheld.flatMap(\.reasons).map(AutofillReason.init)
    }
}
