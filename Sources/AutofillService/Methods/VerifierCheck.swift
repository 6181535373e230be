// SPDX-License-Identifier: Apache-2.0
internal import AutofillProtocol
internal import CredentialStorage
internal import Credentials
internal import Reasons
internal import SecretMemory

extension VerifierCheck: ServedCall {
    func perform(_ request: RequestContext, _ modules: Modules) async throws(RefusedRequest) -> Answer {
        let checked = try await modules.decide(request) { () throws(RefusedRequest) in
            try checkable(request, modules)
        }
        guard let hash = PasswordHash(phc: checked.hash) else { throw RefusedRequest(.recordDamaged) }
        let (isRight, stronger) = try await modules.check(password, against: hash, request)
        return try await modules.decide(request) { () throws(RefusedRequest) in
            // What was tried while another try failed is not told: tries at the same time gain nothing.
            var verifier = try checkable(request, modules)
            guard checked.hash.equals(verifier.hash) else { throw RefusedRequest(.versionMismatch) }
            if isRight {
                guard verifier.failures > 0 || stronger != nil else { return Answer(isRight: true) }
                verifier.failures = 0
                verifier.notBefore = nil
                verifier.hash = stronger?.phc ?? verifier.hash
            } else {
                verifier.failures += verifier.failures < .max ? 1 : 0
                verifier.notBefore = modules.clock.steady.advanced(
                    byMilliseconds: VerifierDesk.delay(after: verifier.failures))
            }
            verifier.changed = modules.clock.now
            try modules.verifiers.note(verifier, modules.vault)
            return Answer(isRight: isRight)
        }
    }

    private func checkable(_ request: RequestContext, _ modules: Modules) throws(RefusedRequest) -> Verifier {
        let place = try modules.authoriser.place(accessGroup, service, request)
        guard let verifier = try modules.verifier(place, account) else { throw RefusedRequest(.verifierNotFound) }
        return try modules.verifiers.checkable(verifier, at: modules.clock.steady)
    }
}
