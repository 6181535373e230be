// SPDX-License-Identifier: Apache-2.0
internal import AutofillProtocol
internal import AutofillService
internal import Credentials
internal import Reasons

extension VerifierCheck: JudgedCall {
    typealias Area = VerifierMethods

    func judge(_ views: VerifierViews, _ request: RequestView) throws(Unsettled) -> CheckedVerifier {
        let place = try views.access.place(accessGroup, namespace, request)
        guard let verifier = try views.verifiers.verifier(place, account) else { throw Unsettled(.verifierNotFound) }
        return try views.verifiers.check(password, against: verifier, request)
    }

    func act(on checked: CheckedVerifier, _ effects: VerifierEffects) throws(Refusal) -> Answer {
        try effects.verifiers.note(checked)
        return Answer(isMatch: checked.isMatch)
    }
}
