// SPDX-License-Identifier: Apache-2.0
internal import AutofillProtocol
internal import CredentialStorage

extension CodeDelete: DecidedCall, PromptedCall {
    func promptSummary(_ modules: Modules) -> String {
        "delete what makes the one-time codes for \(shown(user)) at \(shown(service.value))"
    }

    func decide(_ request: RequestContext, _ modules: Modules) throws(RefusedRequest) -> Changed {
        let service = try modules.apps.service(service, request)
        return Changed(
            try modules.changeCode(of: user, of: service, ifVersion: ifVersion, to: nil, request).changed)
    }
}
