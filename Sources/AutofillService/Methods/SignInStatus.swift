// SPDX-License-Identifier: Apache-2.0
internal import AutofillPolicy
internal import AutofillProtocol

extension SignInStatus: DecidedCall {
    func decide(_ request: RequestContext, _ modules: Modules) throws(RefusedRequest) -> SignInState {
        try modules.authoriser.examine(request, .unnamed, for: .keychainItem)
        guard let current = try modules.currentUser(request.session), try modules.verifierID(of: current) != nil else {
            return SignInState(isSignedIn: false, user: nil)
        }
        try modules.authorise(request, toSee: current)
        try request.confirmPeer()
        return SignInState(isSignedIn: true, user: SignInUser(name: current.name, account: current.account))
    }
}
