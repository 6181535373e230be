// SPDX-License-Identifier: Apache-2.0
internal import AutofillProtocol
internal import AutofillService
internal import Credentials

extension SignInStatus: JudgedCall {
    typealias Area = VerifierMethods
    typealias Decision = SignInState

    func judge(_ views: VerifierViews, _ request: RequestView) throws(Unsettled) -> SignInState {
        guard let user = try views.currentUser(request), try views.verifiers.verifierID(of: user) != nil else {
            return SignInState(isSignedIn: false, user: nil)
        }
        try views.toAccess(user, request)
        try request.confirmPeer()
        return SignInState(isSignedIn: true, user: SignInUser(name: user.name, account: user.account))
    }
}
