// SPDX-License-Identifier: Apache-2.0
internal import AutofillProtocol
internal import AutofillService
internal import CredentialStorage
internal import Credentials
internal import Reasons

extension VerifierDelete: JudgedCall {
    typealias Area = VerifierMethods

    func promptText(_ views: VerifierViews) -> String? {
        "delete the password check \(shownPath([accessGroup, namespace, account]))"
    }

    /// nil where there is none.
    func judge(_ views: VerifierViews, _ request: RequestView) throws(Unsettled) -> ObjectID? {
        let place = try views.access.place(accessGroup, namespace, request)
        guard let verifier = try views.verifiers.verifier(place, account) else { return nil }
        _ = try views.toAccess(verifier, at: place, request)
        return verifier.id
    }

    func act(on id: ObjectID?, _ effects: VerifierEffects) throws(Refusal) -> Changed {
        guard let id else { return Changed(false) }
        return Changed(try effects.verifiers.delete(id))
    }
}
