// SPDX-License-Identifier: Apache-2.0
internal import AssociatedDomains
internal import AutofillProtocol

/// Has a site asked again, and waits for an attempt that ends after the request came.
extension DomainRefresh: PromptedCall {
    func promptSummary(_ modules: Modules) -> String {
        "have \(shown(domain)) asked about the app \(shown(bundleID ?? ""))"
    }

    func perform(_ request: RequestContext, _ modules: Modules) async throws(RefusedRequest) -> DomainReport {
        let associations = modules.associations
        let before = associations.attempts
        let app = try await modules.registration(asked: bundleID, request)
        let query = AssociationQuery(try modules.entry(domain, of: app).entry, of: app)
        return try await modules.decide(request) { () throws(RefusedRequest) in
            let isFresh = associations.wasAttempted(query, after: before)
            guard isFresh || !request.isProven && associations.wasJustAsked(query) else {
                throw .waits(on: .association(query, app.bundleID))
            }
            return try modules.report(of: domain, app)
        }
    }
}
