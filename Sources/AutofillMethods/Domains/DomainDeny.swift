// SPDX-License-Identifier: Apache-2.0
internal import AssociatedDomains
internal import AutofillProtocol
internal import AutofillService
internal import Reasons

extension DomainDeny: JudgedCall {
    typealias Area = DomainMethods

    func promptText(_ views: DomainViews) -> String? {
        "reject \(shown(bundleID)) as an app of \(shown(domain.text))"
    }

    func judge(_ views: DomainViews, _ request: RequestView) throws(Unsettled) -> DomainDecisionChange? {
        try views.change(to: .deny, by: self, request)
    }

    func act(on change: DomainDecisionChange?, _ domains: DomainWriter) throws(Refusal) -> Changed {
        try domains.decide(.deny, change)
    }
}
