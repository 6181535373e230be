// SPDX-License-Identifier: Apache-2.0
internal import AutofillProtocol
internal import AutofillService
internal import CredentialStorage
internal import Credentials
internal import Reasons

/// Makes what a password can be checked against without being kept.
extension VerifierSet: JudgedCall {
    typealias Area = VerifierMethods

    enum Decision: Sendable {
        case same(ObjectID)
        /// - Parameter ifVersion: of the verifier before the hash was made: no other is replaced.
        case keep(HashedPassword, KeychainPlace, Subject, ifVersion: UInt64?)
    }

    func promptText(_ views: VerifierViews) -> String? {
        "replace the password check \(shownPath([accessGroup, namespace, account]))"
    }

    func judge(_ views: VerifierViews, _ request: RequestView) throws(Unsettled) -> Decision {
        let place = try views.access.place(accessGroup, namespace, request)
        let sent = try hash.map { hash throws(Unsettled) in
            guard let hash = HashedPassword(phc: hash) else {
                throw .invalid(
                    "hash", "$scrypt$ln=15,r=8,p=1$SALT$HASH, with ln 14 or more, and at most four times its work")
            }
            return hash
        }
        let version = try request.isProven ? nil : views.toReplace(account, at: place, request)
        if let sent {
            let old = try views.verifiers.verifier(place, account)
            if let old, old.hasHash(sent.phc) { return .same(old.id) }
            return .keep(sent, place, try request.writer(), ifVersion: nil)
        }
        guard let password else { throw Unsettled(.internalFault) }
        let (made, before) = try views.verifiers.hash(of: password, basis: version, request)
        return .keep(made, place, try request.writer(), ifVersion: before)
    }

    func act(on decision: Decision, _ effects: VerifierEffects) throws(Refusal) -> Answer {
        switch decision {
        case .same(let id): return Answer(verifier: id.description, changed: false)
        case .keep(let hash, let place, let writer, let version):
            let saved = try effects.verifiers.keep(hash, for: account, at: place, by: writer, ifVersion: version)
            return Answer(verifier: saved.id.description, changed: saved.changed)
        }
    }
}
