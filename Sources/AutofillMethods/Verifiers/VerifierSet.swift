// SPDX-License-Identifier: Apache-2.0
internal import AutofillProtocol
internal import AutofillService
internal import CredentialStorage
internal import Credentials
internal import Reasons

/// Makes what a password can be checked against without being kept.
extension VerifierSet: JudgedCall {
    typealias Area = VerifierMethods

    struct Decision: Sendable {
        let hash: HashedPassword
        let place: KeychainPlace
        /// Of the verifier before the hash was made: no other is replaced.
        let version: UInt64
        let writer: Subject
    }

    func judge(_ views: VerifierViews, _ request: RequestView) throws(Unsettled) -> Decision {
        let place = try views.access.place(accessGroup, namespace, request)
        let version = try views.toReplace(account, at: place, request)
        let (hash, before) = try views.verifiers.hash(of: password, basis: version, request)
        return Decision(hash: hash, place: place, version: before, writer: try request.writer())
    }

    func act(on decision: Decision, _ effects: VerifierEffects) throws(Refusal) -> VerifierSaved {
        let saved = try effects.verifiers.keep(
            decision.hash, for: account, at: decision.place, by: decision.writer, ifVersion: decision.version)
        return VerifierSaved(verifier: saved.id.description, changed: true)
    }
}
