// SPDX-License-Identifier: Apache-2.0
import AutofillProtocol

/// Every condition of AutoFill for this app, held or not: where to look when nothing is offered.
public struct AutofillDiagnosis: Hashable, Sendable {
    /// Whether a strong password would be offered, as far as it was asked.
    public let offersStrongPassword: Bool
    /// Whether what is saved would be filled.
    public let fillsSavedCredentials: Bool
    /// The conditions, in the order in which failures are listed.
    public let conditions: [Condition]

    /// One condition.
    public struct Condition: Hashable, Sendable {
        /// Its name.
        public let id: String
        /// The condition in words.
        public let title: String
        /// Nil where it cannot be told yet.
        public let isHeld: Bool?
        /// The fact: the file, domain or field concerned.
        public let evidence: String
        /// Why not, and what mends it.
        public let reason: AutofillReason?
    }

    init(_ answer: Diagnose.Answer) {
        offersStrongPassword = answer.strongPassword
        fillsSavedCredentials = answer.savedCredentials
        conditions = answer.conditions.map {
            Condition(
                id: $0.condition, title: $0.title, isHeld: $0.isHeld, evidence: $0.evidence,
                reason: $0.reason.map(AutofillReason.init))
        }
    }
}
