// SPDX-License-Identifier: Apache-2.0
internal import AutofillProtocol

extension DomainGet: PromptedCall {
    func promptSummary(_ modules: Modules) -> String {
        "see what is known of \(shown(domain)) and the app \(shown(bundleID ?? ""))"
    }

    func perform(_ request: RequestContext, _ modules: Modules) async throws(RefusedRequest) -> DomainReport {
        let app = try await modules.registration(asked: bundleID, request)
        return try await modules.decide(request) { () throws(RefusedRequest) in try modules.report(of: domain, app) }
    }
}
