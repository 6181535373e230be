// SPDX-License-Identifier: Apache-2.0
internal import AssociatedDomains
internal import AutofillProtocol
internal import AutofillService

extension DomainGet: JudgedCall {
    typealias Area = DomainMethods
    typealias Decision = DomainReport

    func promptText(_ views: DomainViews) -> String? {
        "read the association of \(shown(domain.text)) and the app \(shown(bundleID ?? ""))"
    }

    func judge(_ views: DomainViews, _ request: RequestView) throws(Unsettled) -> DomainReport {
        try views.report(of: domain, try views.registration(asked: bundleID, request))
    }
}
