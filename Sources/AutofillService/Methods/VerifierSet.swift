// SPDX-License-Identifier: Apache-2.0
internal import AutofillProtocol
internal import CredentialStorage
internal import Credentials

/// Makes what a password can be checked against without being kept.
extension VerifierSet: ServedCall {
    func perform(_ request: RequestContext, _ modules: Modules) async throws(RefusedRequest) -> VerifierSaved {
        let version = try await modules.decide(request) { () throws(RefusedRequest) in
            let place = try modules.authoriser.place(accessGroup, service, request)
            return try modules.authorise(request, toReplaceVerifierOf: account, at: place)
        }
        let hash = try await modules.hash(password, request)
        return try await modules.decide(request) { () throws(RefusedRequest) in
            let place = try modules.authoriser.place(accessGroup, service, request)
            // The person may have taken their word back meanwhile; the version is that of before.
            _ = try modules.authorise(request, toReplaceVerifierOf: account, at: place)
            let saved = try modules.keep(hash, for: account, at: place, request, ifVersion: version)
            return VerifierSaved(verifier: saved.id.description, changed: true)
        }
    }
}
