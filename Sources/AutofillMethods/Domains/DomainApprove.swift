// SPDX-License-Identifier: Apache-2.0
internal import AssociatedDomains
internal import AutofillProtocol
internal import AutofillService
internal import Reasons

extension DomainApprove: JudgedCall {
    typealias Area = DomainMethods

    func promptText(_ views: DomainViews) -> String? {
        "accept \(shown(bundleID)) as an app of \(shown(domain.text)) from now on"
    }

    func judge(_ views: DomainViews, _ request: RequestView) throws(Unsettled) -> DomainDecisionChange? {
        try views.change(to: .approve, by: self, request)
    }

    func act(on change: DomainDecisionChange?, _ domains: DomainWriter) throws(Refusal) -> Changed {
        try domains.decide(.approve, change)
    }
}
