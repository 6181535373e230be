// SPDX-License-Identifier: Apache-2.0
internal import AssociatedDomains
internal import AutofillProtocol
internal import AutofillService

/// Has a site asked again, and waits for an attempt that ends after the request came.
extension DomainRefresh: JudgedCall {
    typealias Area = DomainMethods
    typealias Decision = DomainReport

    func promptText(_ views: DomainViews) -> String? {
        "fetch the statement of \(shown(domain.text)) about the app \(shown(bundleID ?? ""))"
    }

    func judge(_ views: DomainViews, _ request: RequestView) throws(Unsettled) -> DomainReport {
        let associations = views.associations
        let before = request.attemptsBefore(associations)
        let app = try views.registration(asked: bundleID, request)
        let query = AssociationQuery(try views.entry(domain, of: app).entry, of: app)
        let isFresh = associations.wasAttempted(query, after: before)
        guard isFresh || !request.isProven && associations.wasJustAsked(query) else {
            throw .waits(for: .association(query, app.bundleID))
        }
        return try views.report(of: domain, app)
    }
}
