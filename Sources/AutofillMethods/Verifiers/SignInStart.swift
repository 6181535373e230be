// SPDX-License-Identifier: Apache-2.0
internal import AutofillProtocol
internal import AutofillService
internal import CredentialStorage
internal import Credentials
internal import Reasons

extension SignInStart: JudgedCall {
    typealias Area = VerifierMethods

    struct Decision: Sendable {
        let hash: HashedPassword
        let place: KeychainPlace
        /// Of the verifier before the hash was made: no other is replaced.
        let version: UInt64
        /// The verifier of the user that was signed in before.
        let former: ObjectID?
        let subject: Subject
    }

    /// What the hash was made for.
    private struct Basis: Sendable {
        let user: CurrentUser?
        let version: UInt64
    }

    func judge(_ views: VerifierViews, _ request: RequestView) throws(Unsettled) -> Decision {
        let group = try views.access.group(nil, request)
        let place = KeychainPlace(group: group, service: self.place.namespace ?? group)
        let subject = try request.subject()
        let user = try views.verifiers.currentUser(request)
        // Nobody else has signed in or out while the hash was made.
        if let before: Basis = views.verifiers.hashBasis(request), before.user != user {
            throw Unsettled(.versionMismatch)
        }
        if let user { try views.toAccess(user, request) }
        let version = try views.toReplace(self.place.account, at: place, request)
        let (hash, basis) = try views.verifiers.hash(
            of: password, basis: Basis(user: user, version: version), request)
        return Decision(
            hash: hash, place: place, version: basis.version,
            former: try user.flatMap { user throws(Unsettled) in try views.verifiers.verifierID(of: user) },
            subject: subject)
    }

    func act(on decision: Decision, _ effects: VerifierEffects) throws(Refusal) -> SignInState {
        let account = place.account
        let saved = try effects.verifiers.keep(
            decision.hash, for: account, at: decision.place, by: decision.subject, ifVersion: decision.version)
        if let former = decision.former, former != saved.id { _ = try effects.verifiers.delete(former) }
        try effects.verifiers.setCurrentUser(
            CurrentUser(name: name, account: account, service: decision.place.service, writer: decision.subject))
        return SignInState(isSignedIn: true, user: SignInUser(name: name, account: account))
    }
}
