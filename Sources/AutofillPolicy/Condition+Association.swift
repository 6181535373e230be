// SPDX-License-Identifier: Apache-2.0
internal import Reasons

/// The two decisions that associate a domain with an app: the site's and the user's.
extension Condition {
    /// The user's approval replaces the site's.
    func site(_ facts: AutofillFacts) -> Finding {
        if let notNeeded = notNeeded(facts) { return notNeeded }
        guard let domain = coveredDomain(facts) else { return afterRegistration }
        let refusal: (Reason, String)
        switch facts.siteStatement {
        case .approved(let evidence), .notNeeded(let evidence): return .held(self, evidence)
        case .unknown(let evidence): return .unknown(self, evidence)
        case .notListing(let evidence): refusal = (.siteNotListing, evidence)
        case .failed(let evidence): refusal = (.siteFetchFailed, evidence)
        case .notFetched(let evidence): refusal = (.siteNotFetched, evidence)
        }
        if case .approved = facts.userDecision { return .held(self, "the user approved it instead; \(refusal.1)") }
        return .failed(
            self, refusal.1,
            Refusal(
                refusal.0,
                [.app: facts.app, .domain: domain, .site: facts.speakingSite ?? domain, .detail: refusal.1]))
    }

    func userApproval(_ facts: AutofillFacts) -> Finding {
        if let notNeeded = notNeeded(facts) { return notNeeded }
        guard let domain = coveredDomain(facts) else { return afterRegistration }
        let names: [Refusal.Parameter: String] = [.app: facts.app, .domain: domain]
        switch facts.userDecision {
        case .approved(let evidence): return .held(self, evidence)
        case .denied(let evidence): return .failed(self, evidence, Refusal(.approvalDenied, names))
        case .needed(let evidence): return .failed(self, evidence, Refusal(.approvalMissing, names))
        case .unknown(let evidence): return .unknown(self, evidence)
        case .silent: return .held(self, "the user has not denied it")
        }
    }

    /// The domain asked for, if the registration covers it.
    private func coveredDomain(_ facts: AutofillFacts) -> String? {
        guard case .domain(let domain) = facts.site, case .present(let declared) = facts.declaration,
            declared.coveringEntry != nil
        else { return nil }
        return domain
    }
}
