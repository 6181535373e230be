// SPDX-License-Identifier: Apache-2.0
internal import AutofillPolicy
internal import AutofillProtocol
internal import AutofillService
internal import CredentialStorage
internal import Credentials
internal import Reasons

/// Sets what a credential has besides its password, and renames it.
extension CredentialUpdate: JudgedCall {
    typealias Area = CredentialMethods

    struct Decision: Sendable {
        let old: Sealed<Credential>
        let service: Service
        let details: DetailsChange
        let writer: Subject
    }

    func promptText(_ views: CredentialViews) throws(Unsettled) -> String? {
        let credential = try views.shownCredential(name)
        let services = try views.shownChanges(of: changes.services, in: name)
        guard let newUser else { return "change the details of the password saved for \(credential)\(services)" }
        guard services.isEmpty else {
            throw .invalid(
                "services", because: "A prompt shows a new user name, or changed services.",
                fix: "Change them in two calls, or give another proof")
        }
        let noted = changes.isAny ? ", and what is noted of it" : ""
        return "change the user name of the password saved for \(credential) to \(shownName(newUser))\(noted)"
    }

    func judge(_ views: CredentialViews, _ request: RequestView) throws(Unsettled) -> Decision {
        let (old, service) = try views.change(name, request)
        if old.isDeleted { throw try views.unknown(.credentialNotFound, request) }
        if !request.isProven {
            try views.access.examine(service, for: .save, request)
            if let newUser { try views.requireRename(of: old, to: newUser, at: service, request) }
        }
        let isOfDetails = newUser == nil || changes.isAny
        let details =
            isOfDetails
            ? try views.details(changes, of: old, for: newUser ?? old.user, at: service, request) : DetailsChange()
        return Decision(old: old, service: service, details: details, writer: try request.writer())
    }

    func act(on decision: Decision, _ effects: CredentialEffects) throws(Refusal) -> Changed {
        let saved = try effects.saved.update(
            decision.old, with: decision.details, newUser: newUser, by: decision.writer,
            ifVersion: ifVersion.map(storedVersion), at: decision.service)
        return Changed(saved.changed)
    }
}
