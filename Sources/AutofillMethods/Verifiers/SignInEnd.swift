// SPDX-License-Identifier: Apache-2.0
internal import AutofillProtocol
internal import AutofillService
internal import Credentials
internal import Reasons

/// First the verifier is deleted, then the user: what a crash leaves between the two counts as signed out.
extension SignInEnd: JudgedCall {
    typealias Area = VerifierMethods

    enum Decision: Sendable {
        case signedOut
        case end(verifier: ObjectID?)
    }

    func judge(_ views: VerifierViews, _ request: RequestView) throws(Unsettled) -> Decision {
        guard let user = try views.currentUser(request) else { return .signedOut }
        try views.toAccess(user, request)
        return .end(verifier: try views.verifiers.verifierID(of: user))
    }

    func act(on decision: Decision, _ effects: VerifierEffects) throws(Refusal) -> Changed {
        guard case .end(let verifier) = decision else { return Changed(false) }
        if let verifier { _ = try effects.verifiers.delete(verifier) }
        try effects.verifiers.setCurrentUser(nil)
        return Changed(true)
    }
}
