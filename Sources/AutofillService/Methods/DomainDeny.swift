// SPDX-License-Identifier: Apache-2.0
internal import AutofillProtocol

extension DomainDeny: PromptedCall {
    func promptSummary(_ modules: Modules) -> String {
        "keep \(shown(bundleID)) from being an app of \(shown(domain))"
    }

    func perform(_ request: RequestContext, _ modules: Modules) async throws(RefusedRequest) -> Changed {
        try await modules.decide(.deny, self, request)
    }
}
