// SPDX-License-Identifier: Apache-2.0
internal import AssociatedDomains
internal import AutofillPolicy
internal import AutofillProtocol
internal import ConfigurationFiles
internal import Credentials
internal import Reasons

/// Takes in a one-time code that the app received.
extension CodeOffer: DecidedCall {
    func decide(_ request: RequestContext, _ modules: Modules) throws(RefusedRequest) -> Answer {
        let service = try modules.apps.service(service, request)
        try modules.authoriser.examine(request, .unnamed, for: .codeSource)
        guard let app = request.session.app, let registration = modules.apps.registration(of: request.session) else {
            throw RefusedRequest(.internalFault)
        }
        guard registration.entitlements.isOneTimeCodeSource else {
            throw RefusedRequest(.codeSourceEntitlementMissing, [.app: app.bundleID.text])
        }
        let offered = try modules.codes.add(code, for: service, from: app.bundleID.text, at: modules.clock.steady)
        return Answer(code: offered.id, expires: offered.expires.description)
    }
}
