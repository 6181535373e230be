// SPDX-License-Identifier: Apache-2.0
// Generated from Sources/AutofillProtocol by Tests/AutofillProtocolTests/Clients. Do not edit.
import AutofillProtocol

/// Every condition of AutoFill for this app, met or not. Read it when nothing is offered.
public struct AutofillDiagnosis: Hashable, Sendable {
    /// Whether a strong password would be offered, as far as the request shows.
    public let offersStrongPassword: Bool
    /// Whether saved credentials would be filled.
    public let fillsSavedCredentials: Bool
    /// Every condition, in the order in which failures are listed.
    public let conditions: [Condition]

    init(_ report: Diagnose.Answer) {
        offersStrongPassword = report.strongPassword
        fillsSavedCredentials = report.savedCredentials
        conditions = report.conditions.map(Condition.init)
    }
}

extension AutofillDiagnosis {
    /// One condition.
    public struct Condition: Hashable, Sendable {
        /// The name of the condition.
        public let id: String
        /// The condition in a few words, for people.
        public let title: String
        /// Whether it is met; nil if that cannot be decided yet.
        public let isHeld: Bool?
        /// The evidence, for people: the file, domain or field concerned.
        public let evidence: String
        /// Why it is not met, with the fix.
        public let reason: AutofillReason?

        init(_ report: ConditionReport) {
            id = report.condition
            title = report.title
            isHeld = report.isHeld
            evidence = report.evidence
            reason = report.reason.map(AutofillReason.init)
        }
    }
}
