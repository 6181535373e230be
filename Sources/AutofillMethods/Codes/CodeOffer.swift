// SPDX-License-Identifier: Apache-2.0
internal import AssociatedDomains
internal import AutofillPolicy
internal import AutofillProtocol
internal import AutofillService
internal import CredentialStorage
internal import Credentials
internal import Reasons

/// Keeps a one-time code that the app received.
extension CodeOffer: JudgedCall {
    typealias Area = CodeMethods

    struct Decision: Sendable {
        let service: Service
        let app: String
    }

    func judge(_ views: CodeViews, _ request: RequestView) throws(Unsettled) -> Decision {
        let service = try views.credentials.sites.service(service, request)
        try views.credentials.access.examine(.unnamed, for: .codeSource, request)
        guard let app = request.bundleID?.text, let registration = views.credentials.sites.registration(request) else {
            throw Unsettled(.internalFault)
        }
        guard registration.entitlements.isOneTimeCodeSource else {
            throw Unsettled(.codeSourceEntitlementMissing, [.app: app])
        }
        try views.codes.requireCapacity(for: service, from: app)
        return Decision(service: service, app: app)
    }

    func act(on decision: Decision, _ effects: CodeEffects) throws(Refusal) -> Answer {
        let kept = effects.codes.add(code, for: decision.service, from: decision.app)
        return Answer(code: kept.id, expires: kept.expires.description)
    }
}
