// SPDX-License-Identifier: Apache-2.0
internal import AutofillProtocol
internal import Credentials
internal import Reasons

extension CredentialGet: DecidedCall, PromptedCall {
    func promptSummary(_ modules: Modules) -> String { "read a password saved for \(shown(service.value))" }

    func decide(_ request: RequestContext, _ modules: Modules) throws(RefusedRequest) -> Answer {
        let service = try modules.apps.domain(service, request)
        let authorisation = try modules.authorise(request, toReach: .password, of: service)
        guard let credential = try modules.find(service, user, request, authorisation) else {
            throw RefusedRequest(.credentialNotFound)
        }
        try modules.audit.release(credential.id, service, request, authorisation)
        try modules.noteUse(of: credential.id)
        return Answer(
            summary: AutofillProtocol.CredentialSummary(credential), password: credential.password)
    }
}
