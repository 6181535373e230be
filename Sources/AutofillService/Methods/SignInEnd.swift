// SPDX-License-Identifier: Apache-2.0
internal import AutofillPolicy
internal import AutofillProtocol

/// First the verifier goes, then the user: what a crash leaves between the two counts as signed out.
extension SignInEnd: DecidedCall {
    func decide(_ request: RequestContext, _ modules: Modules) throws(RefusedRequest) -> Changed {
        try modules.authoriser.examine(request, .unnamed, for: .keychainItem)
        guard let current = try modules.currentUser(request.session) else { return Changed(false) }
        try modules.authorise(request, toSee: current)
        try modules.removeVerifier(of: current)
        try modules.setCurrentUser(nil, request)
        return Changed(true)
    }
}
