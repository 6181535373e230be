// SPDX-License-Identifier: Apache-2.0
import AutofillProtocol

/// What became of a form that the person filled.
public struct SubmissionResult: Hashable, Sendable {
    /// What became of it.
    public let outcome: Outcome
    /// The credential in the vault, where there is one.
    public let credential: SavedCredential.ID?
    /// Whether anything was saved.
    public let isChanged: Bool

    /// What became of what the person typed.
    public struct Outcome: ProtocolWord {
        /// As it stands on the wire.
        public let rawValue: String

        /// A word as it stands on the wire.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// A new credential is in the vault.
        public static let saved = Self(rawValue: "saved")
        /// One that was there has another password; the old one is kept.
        public static let updated = Self(rawValue: "updated")
        /// The very same was saved before.
        public static let unchanged = Self(rawValue: "unchanged")
        /// The form held nothing to save.
        public static let nothing = Self(rawValue: "nothing")
    }

    init(_ answer: AutofillSubmitted.Answer) {
        outcome = Outcome(rawValue: answer.outcome)
        credential = answer.credential
        isChanged = answer.changed
    }
}
