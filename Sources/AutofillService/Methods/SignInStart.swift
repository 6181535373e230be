// SPDX-License-Identifier: Apache-2.0
internal import AutofillProtocol
internal import CredentialStorage
internal import Credentials
internal import Reasons

extension SignInStart: ServedCall {
    func perform(_ request: RequestContext, _ modules: Modules) async throws(RefusedRequest) -> SignInState {
        let (seen, version) = try await modules.decide(request) { () throws(RefusedRequest) in
            let place = try place(request, modules)
            let seen = try modules.currentUser(request.session)
            if let seen { try modules.authorise(request, toSee: seen) }
            return (seen, try modules.authorise(request, toReplaceVerifierOf: self.place.account, at: place))
        }
        let hash = try await modules.hash(password, request)
        return try await modules.decide(request) { () throws(RefusedRequest) in
            let place = try place(request, modules)
            let subject = try request.session.subject()
            // Nobody else has signed in or out while the hash was made.
            guard try modules.currentUser(request.session) == seen else { throw RefusedRequest(.versionMismatch) }
            // The person may have taken their word back meanwhile; the version is that of before.
            if let seen { try modules.authorise(request, toSee: seen) }
            _ = try modules.authorise(request, toReplaceVerifierOf: self.place.account, at: place)
            let saved = try modules.keep(hash, for: self.place.account, at: place, request, ifVersion: version)
            if let seen, try modules.verifierID(of: seen) != saved.id { try modules.removeVerifier(of: seen) }
            try modules.setCurrentUser(
                CurrentUser(name: name, account: self.place.account, service: place.service, writer: subject), request)
            return SignInState(isSignedIn: true, user: SignInUser(name: name, account: self.place.account))
        }
    }

    private func place(_ request: RequestContext, _ modules: Modules) throws(RefusedRequest) -> KeychainPlace {
        let group = try modules.authoriser.accessGroup(nil, request)
        return KeychainPlace(group: group, service: self.place.service ?? group)
    }
}
