// SPDX-License-Identifier: Apache-2.0
internal import AutofillProtocol
internal import AutofillService
internal import CredentialStorage
internal import Credentials
internal import Reasons

extension VerifierImport: JudgedCall {
    typealias Area = VerifierMethods

    enum Decision: Sendable {
        case same(ObjectID)
        case keep(HashedPassword, KeychainPlace, Subject)
    }

    func promptText(_ views: VerifierViews) -> String? {
        "replace the password check \(shownPath([accessGroup, namespace, account]))"
    }

    func judge(_ views: VerifierViews, _ request: RequestView) throws(Unsettled) -> Decision {
        let place = try views.access.place(accessGroup, namespace, request)
        guard let hash = HashedPassword(phc: hash) else {
            throw .invalid(
                "hash", "$scrypt$ln=15,r=8,p=1$SALT$HASH, with ln 14 or more, and at most four times its work")
        }
        if !request.isProven { _ = try views.toReplace(account, at: place, request) }
        if let old = try views.verifiers.verifier(place, account), old.hasHash(hash.phc) { return .same(old.id) }
        return .keep(hash, place, try request.writer())
    }

    func act(on decision: Decision, _ effects: VerifierEffects) throws(Refusal) -> VerifierSaved {
        switch decision {
        case .same(let id): return VerifierSaved(verifier: id.description, changed: false)
        case .keep(let hash, let place, let writer):
            let saved = try effects.verifiers.keep(hash, for: account, at: place, by: writer)
            return VerifierSaved(verifier: saved.id.description, changed: saved.changed)
        }
    }
}
