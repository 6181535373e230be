// SPDX-License-Identifier: Apache-2.0
import AutofillPolicy
import AutofillProtocol

/// Every condition of AutoFill for one app, as far as it can be checked from outside.
struct Explanation {
    let app: String
    let domain: String?
    /// What the service could not be asked, and why; nil if it answered.
    let unavailable: CommandFailure.Problem?
    let conditions: [ConditionReport]
    /// What was probably meant instead of the app or the domain.
    let meant: String?

    /// - Parameters:
    ///   - facts: the recorded facts; consent and vault are valid only as the next two state.
    ///   - isConsentRead: whether the grants were read.
    ///   - unavailable: why the service could not be asked.
    ///   - meant: what was probably meant.
    init(_ facts: AutofillFacts, isConsentRead: Bool, unavailable: CommandFailure.Problem?, meant: String? = nil) {
        app = facts.app
        self.meant = meant
        domain = facts.site.name
        self.unavailable = unavailable
        let strong = Examination(of: facts, for: .strongPassword).findings
        let grant = Examination(of: facts, for: .savedCredential).findings.filter { $0.condition == .grant }
        let findings = strong.filter { $0.condition != .vault } + grant + strong.filter { $0.condition == .vault }
        conditions = findings.map { finding in
            switch finding.condition {
            case .vault where unavailable != nil:
                ConditionReport(unknown: finding, "shown when the service runs")
            case .grant where unavailable != nil:
                ConditionReport(unknown: finding, "shown when the service runs")
            case .grant where !isConsentRead && facts.vault == .unlocked:
                ConditionReport(unknown: finding, "shown with proof: add --key-file PATH, --recovery-key or --prompt")
            default: ConditionReport(finding)
            }
        }
    }

    private func holds(without left: Condition?) -> Bool {
        !conditions.contains { $0.isHeld == false && $0.condition != left?.rawValue }
    }

    /// Whether no checked condition prevents the offer of a strong password.
    var offersStrongPassword: Bool { holds(without: .grant) }

    /// Whether no checked condition prevents the filling of saved credentials.
    var fillsSavedCredentials: Bool { holds(without: .strongPasswords) }

    /// The shape of `explain --json`: that of `diagnose`, with the app, the domain and the reason why the service was
    /// not asked.
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
