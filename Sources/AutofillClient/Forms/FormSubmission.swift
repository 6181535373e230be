// SPDX-License-Identifier: Apache-2.0
import AutofillProtocol

/// A form that was sent and of which it is not known yet whether the site accepted it.
/// ``AutofillSession/confirm(_:interaction:)`` or ``AutofillSession/withdraw(_:)`` settles it; after an hour it counts as
/// withdrawn.
public struct FormSubmission: Hashable, Sendable {
    let id: String

    /// - Returns: nil if there is nothing to confirm.
    init?(_ answer: AutofillSubmit.Answer) {
        guard let id = answer.submission else { return nil }
        self.id = id
    }
}
