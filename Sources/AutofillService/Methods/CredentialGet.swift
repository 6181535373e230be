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
        let summary = CredentialStorage.CredentialSummary(credential)
        let showsDetails = modules.showsDetails(of: summary, authorisation, request)
        let fields = showsDetails ? credential.details.fields.map(CustomFieldValue.init) : []
        let history = request.isProven ? credential.previous.map(FormerPassword.init) : []
        return Answer(
            summary: AutofillProtocol.CredentialSummary(summary, showsDetails: showsDetails),
            password: credential.password, notes: showsDetails ? credential.details.notes : nil,
            fields: fields.isEmpty ? nil : fields, history: history.isEmpty ? nil : history)
    }
}

extension CustomFieldValue {
    fileprivate init(_ field: CustomField) {
        self.init(name: field.name, value: field.value, isSecret: field.isSecret)
    }
}

extension FormerPassword {
    fileprivate init(_ former: Credential.Previous) {
        self.init(password: former.password, replaced: former.replaced.description)
    }
}
