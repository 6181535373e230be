// SPDX-License-Identifier: Apache-2.0
internal import AutofillPolicy
internal import AutofillProtocol
internal import AutofillService
internal import CredentialStorage
internal import Credentials
internal import Reasons

/// Sets what a credential has besides user and password.
extension CredentialUpdate: JudgedCall {
    typealias Area = CredentialMethods

    struct Decision: Sendable {
        let old: Sealed<Credential>
        let service: Service
        let details: DetailsChange
        let writer: Subject
    }

    func promptText(_ views: CredentialViews) throws(Unsettled) -> String? {
        "change what is noted of the password saved for \(try views.shownCredential(credential))"
    }

    func judge(_ views: CredentialViews, _ request: RequestView) throws(Unsettled) -> Decision {
        guard let old = try views.saved.credential(named: credential),
            let service = try views.access.service(of: old, request)
        else { throw try views.unknown(.credentialNotFound, request) }
        if !request.isProven { try views.access.examine(service, for: .save, request) }
        let details = try views.details(changes, of: old, for: old.user, at: service, request)
        return Decision(old: old, service: service, details: details, writer: try request.writer())
    }

    func act(on decision: Decision, _ effects: CredentialEffects) throws(Refusal) -> Changed {
        let saved = try effects.saved.update(
            decision.old, with: decision.details, by: decision.writer, ifVersion: ifVersion.map(storedVersion),
            at: decision.service)
        return Changed(saved.changed)
    }
}
