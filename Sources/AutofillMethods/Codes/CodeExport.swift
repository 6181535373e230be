// SPDX-License-Identifier: Apache-2.0
internal import AutofillProtocol
internal import AutofillService
internal import CredentialStorage
internal import Credentials
internal import Reasons

/// What the codes of a credential are made from.
extension CodeExport: JudgedCall {
    typealias Area = CodeMethods

    struct Decision: Sendable {
        let found: Sealed<Credential>
        let permit: Permit
    }

    func judge(_ views: CodeViews, _ request: RequestView) throws(Unsettled) -> Decision {
        let (found, service) = try views.credentials.change(name, request)
        guard !found.isDeleted, found.hasCode else { throw Unsettled(.codeNotFound) }
        return Decision(found: found, permit: try views.credentials.access.toExport(service, request))
    }

    func act(on decision: Decision, _ effects: CodeEffects) throws(Refusal) -> Answer {
        let opened = try effects.credentials.releases.open(decision.found, under: decision.permit, isUse: false)
        guard let uri = opened.record.oneTimeCode else { throw Refusal(.codeNotFound) }
        return Answer(uri: uri)
    }
}
