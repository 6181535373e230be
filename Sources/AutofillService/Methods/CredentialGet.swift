// SPDX-License-Identifier: Apache-2.0
internal import AutofillProtocol
internal import CredentialStorage
internal import Credentials
internal import Reasons

extension CredentialGet: DecidedCall, PromptedCall {
    func promptSummary(_ modules: Modules) -> String { "read a password saved for \(shown(service.value))" }

    func decide(_ request: RequestContext, _ modules: Modules) throws(RefusedRequest) -> Answer {
        let service = try modules.apps.service(service, request)
        let authorisation = try modules.authorise(request, toReach: .password, of: service)
        guard let credential = try modules.find(service, user, request, authorisation) else {
            throw RefusedRequest(.credentialNotFound)
        }
        try modules.audit.release(credential.id, service, request, authorisation)
        try modules.noteUse(of: credential.id)
        let showsDetails = modules.showsDetails(
            of: CredentialStorage.CredentialSummary(credential), authorisation, request)
        let fields = credential.details.fields.map {
            CustomFieldValue(name: $0.name, value: $0.value, isSecret: $0.isSecret)
        }
        let history = credential.previous.map {
            FormerPassword(password: $0.password, replaced: $0.replaced.description)
        }
        return Answer(
            summary: AutofillProtocol.CredentialSummary(credential, showsDetails: showsDetails),
            password: credential.password, notes: showsDetails ? credential.details.notes : nil,
            fields: showsDetails && !fields.isEmpty ? fields : nil,
            history: request.isProven && !history.isEmpty ? history : nil)
    }
}
