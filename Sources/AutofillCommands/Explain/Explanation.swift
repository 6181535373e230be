// SPDX-License-Identifier: Apache-2.0
import AutofillPolicy
import AutofillProtocol

/// Every condition of AutoFill for one app, as it can be told from outside.
struct Explanation {
    let app: String
    let domain: String?
    /// What could not be asked of the service, and why; nil where it answered.
    let unavailable: CommandFailure.Problem?
    let conditions: [ConditionReport]

    /// - Parameters:
    ///   - facts: what is known; consent and vault count only as far as the next two say.
    ///   - isConsentKnown: whether the grants were read.
    ///   - unavailable: why the service could not be asked.
    init(_ facts: AutofillFacts, isConsentKnown: Bool, unavailable: CommandFailure.Problem?) {
        app = facts.app
        domain = facts.site.name
        self.unavailable = unavailable
        let strong = Examination(of: facts, for: .strongPassword).findings
        let grant = Examination(of: facts, for: .savedCredential).findings.filter { $0.condition == .grant }
        let findings = strong.filter { $0.condition != .vault } + grant + strong.filter { $0.condition == .vault }
        conditions = findings.map { finding in
            switch finding.condition {
            case .vault where unavailable != nil:
                ConditionReport(unknown: finding, "told when the service is there")
            case .grant where unavailable != nil:
                ConditionReport(unknown: finding, "told when the service is there")
            case .grant where !isConsentKnown && facts.vault == .unlocked:
                ConditionReport(unknown: finding, "told with proof: add --key-file PATH, --recovery-key or --prompt")
            default: ConditionReport(finding)
            }
        }
    }

    private func holds(without left: Condition?) -> Bool {
        !conditions.contains { $0.isHeld == false && $0.condition != left?.rawValue }
    }

    /// Whether nothing that was told keeps a strong password from being offered.
    var offersStrongPassword: Bool { holds(without: .grant) }

    /// Whether nothing that was told keeps saved credentials from being filled.
    var fillsSavedCredentials: Bool { holds(without: .strongPasswords) }

    /// The shape of `explain --json`: that of `diagnose`, with the app, the domain and what could not be asked.
    func write(to writer: inout JSONWriter) {
        writer.member("bundleID", app)
        writer.member("domain", orNull: domain)
        Diagnose.Answer(
            strongPassword: offersStrongPassword, savedCredentials: fillsSavedCredentials, conditions: conditions
        ).write(to: &writer)
        writer.member("unavailable", orNull: unavailable?.code)
    }
}

extension ConditionReport {
    fileprivate init(_ finding: Finding) {
        self.init(
            condition: finding.condition.rawValue, title: finding.condition.title, isHeld: finding.isHeld,
            evidence: finding.evidence, reason: finding.refusal.map(ReasonReport.init))
    }

    fileprivate init(unknown finding: Finding, _ evidence: String) {
        self.init(
            condition: finding.condition.rawValue, title: finding.condition.title, isHeld: nil, evidence: evidence,
            reason: nil)
    }
}
