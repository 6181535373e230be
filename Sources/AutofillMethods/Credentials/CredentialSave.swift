// SPDX-License-Identifier: Apache-2.0
internal import AutofillPolicy
internal import AutofillProtocol
internal import AutofillService
internal import CredentialStorage
internal import Credentials
internal import Reasons

extension CredentialSave: JudgedCall {
    typealias Area = CredentialMethods

    func promptText(_ views: CredentialViews) throws(Unsettled) -> String? {
        let services = try views.shownChanges(of: changes.services, in: .saved(for: service, user: user))
        let name = "\(shownName(user)) at \(shownName(service.value))"
        return "save a password for \(name)\(services), whoever saved the former"
    }

    func judge(_ views: CredentialViews, _ request: RequestView) throws(Unsettled) -> CredentialDraft {
        let named = try views.sites.service(service, request)
        let service = try views.saved.service(of: user, at: named, request)
        if !request.isProven {
            try views.access.examine(service, for: .save, request)
            // Whether there is a credential that has another version would reveal whether there is one.
            if ifVersion != nil { try views.access.toLearn(of: user, of: service, request) }
            try views.requireCapacity(toSave: user, of: service, request)
        }
        var draft = CredentialDraft(
            service: service, user: user, password: password, rules: nil, writer: try request.writer())
        if changes.isAny {
            let old = try views.saved.password(of: user, for: service)
            draft.details = try views.details(changes, of: old, for: user, at: service, request)
        } else {
            try views.saved.requireOpenVault()
        }
        return draft
    }

    func act(on draft: CredentialDraft, _ effects: CredentialEffects) throws(Refusal) -> SavedAnswer {
        let saved = try effects.saved.save(draft, ifVersion: ifVersion.map(storedVersion))
        return SavedAnswer(credential: saved.id.description, changed: saved.changed)
    }
}
