// SPDX-License-Identifier: Apache-2.0
// Generated from Sources/AutofillProtocol by Tests/AutofillProtocolTests/Clients. Do not edit.
import AutofillProtocol

/// The result of a submitted form.
public struct SubmissionResult: Hashable, Sendable {
    /// The result.
    public let outcome: Outcome
    /// The credential in the vault, if there is one.
    public let credential: SavedCredential.ID?
    /// Whether anything was changed; false if the same was done before.
    public let isChanged: Bool

    init(_ report: AutofillConfirm.Answer) {
        outcome = Outcome(rawValue: report.outcome)
        credential = report.credential
        isChanged = report.changed
    }
}

extension SubmissionResult {
    /// The result of a submitted form.
    public struct Outcome: ProtocolWord {
        /// The value on the wire.
        public let rawValue: String

        /// - Parameter rawValue: the value on the wire.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// A new credential was saved.
        public static let saved = Self(rawValue: "saved")
        /// A saved credential has another password; the old one is kept.
        public static let updated = Self(rawValue: "updated")
        /// The same was saved before.
        public static let unchanged = Self(rawValue: "unchanged")
        /// The form held nothing to save.
        public static let nothing = Self(rawValue: "nothing")
    }
}
