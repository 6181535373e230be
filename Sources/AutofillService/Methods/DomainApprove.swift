// SPDX-License-Identifier: Apache-2.0
internal import AutofillProtocol

extension DomainApprove: PromptedCall {
    func promptSummary(_ modules: Modules) -> String {
        "count \(shown(bundleID)) as an app of \(shown(domain)) from now on"
    }

    func perform(_ request: RequestContext, _ modules: Modules) async throws(RefusedRequest) -> Changed {
        try await modules.decide(.approve, self, request)
    }
}
