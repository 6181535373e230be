// SPDX-License-Identifier: Apache-2.0
internal import AutofillProtocol
internal import CredentialStorage
internal import Credentials
internal import SecretMemory

extension VerifierImport: DecidedCall, PromptedCall {
    func promptSummary(_ modules: Modules) -> String {
        "replace the password check \(modules.shownPath([accessGroup, service, account]))"
    }

    func decide(_ request: RequestContext, _ modules: Modules) throws(RefusedRequest) -> VerifierSaved {
        let place = try modules.authoriser.place(accessGroup, service, request)
        guard let hash = PasswordHash(phc: hash) else {
            throw .invalid(
                "hash", "$scrypt$ln=15,r=8,p=1$SALT$HASH, with ln 14 or more, and at most four times its work")
        }
        if !request.isProven { _ = try modules.authorise(request, toReplaceVerifierOf: account, at: place) }
        if let old = try modules.verifier(place, account), old.hash.equals(hash.phc) {
            return VerifierSaved(verifier: old.id.description, changed: false)
        }
        let saved = try modules.keep(hash, for: account, at: place, request)
        return VerifierSaved(verifier: saved.id.description, changed: saved.changed)
    }
}
