// SPDX-License-Identifier: Apache-2.0
internal import AutofillProtocol
internal import AutofillService
internal import CredentialStorage
internal import Credentials
internal import Reasons

extension VerifierExport: JudgedCall {
    typealias Area = VerifierMethods

    struct Decision: Sendable {
        let verifier: Sealed<Verifier>
        let permit: Permit
    }

    func judge(_ views: VerifierViews, _ request: RequestView) throws(Unsettled) -> Decision {
        let place = try views.access.place(accessGroup, namespace, request)
        guard let verifier = try views.verifiers.verifier(place, account) else { throw Unsettled(.verifierNotFound) }
        return Decision(verifier: verifier, permit: try views.toAccess(verifier, at: place, request))
    }

    func act(on decision: Decision, _ effects: VerifierEffects) throws(Refusal) -> Answer {
        Answer(hash: try effects.releases.open(decision.verifier, under: decision.permit).hash)
    }
}
