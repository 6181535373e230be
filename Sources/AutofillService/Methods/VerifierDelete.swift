// SPDX-License-Identifier: Apache-2.0
internal import AutofillProtocol
internal import CredentialStorage
internal import Credentials

extension VerifierDelete: DecidedCall, PromptedCall {
    func promptSummary(_ modules: Modules) -> String {
        "delete the password check \(modules.shownPath([accessGroup, service, account]))"
    }

    func decide(_ request: RequestContext, _ modules: Modules) throws(RefusedRequest) -> Changed {
        let place = try modules.authoriser.place(accessGroup, service, request)
        guard let verifier = try modules.verifier(place, account) else { return Changed(false) }
        _ = try modules.authoriser.authorise(
            request, toReach: place, writtenBy: verifier.writer,
            isMade: request.session.memory.ownership.hasMade(verifier.id))
        return Changed(try modules.deleteVerifier(verifier.id))
    }
}
