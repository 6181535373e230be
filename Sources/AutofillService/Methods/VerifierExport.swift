// SPDX-License-Identifier: Apache-2.0
internal import AutofillProtocol
internal import Credentials
internal import Reasons

extension VerifierExport: DecidedCall {
    func decide(_ request: RequestContext, _ modules: Modules) throws(RefusedRequest) -> Answer {
        let place = try modules.authoriser.place(accessGroup, service, request)
        guard let verifier = try modules.verifier(place, account) else { throw RefusedRequest(.verifierNotFound) }
        let authorisation = try modules.authoriser.authorise(
            request, toReach: place, writtenBy: verifier.writer,
            isMade: request.session.memory.ownership.hasMade(verifier.id))
        try modules.audit.release(verifier.id, place.granted, request, authorisation)
        return Answer(hash: verifier.hash)
    }
}
