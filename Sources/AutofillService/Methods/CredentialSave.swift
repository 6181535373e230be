// SPDX-License-Identifier: Apache-2.0
internal import AssociatedDomains
internal import AutofillPolicy
internal import AutofillProtocol
internal import CredentialStorage
internal import Credentials
internal import Reasons

extension CredentialSave: DecidedCall, PromptedCall {
    func promptSummary(_ modules: Modules) -> String {
        "save a password for \(shown(user)) at \(shown(service.value)), whoever saved the one before"
    }

    func decide(_ request: RequestContext, _ modules: Modules) throws(RefusedRequest) -> SavedAnswer {
        let named = try modules.apps.service(service, request)
        let service = try modules.place(of: user, at: named, request)
        if !request.isProven {
            try modules.authoriser.examine(request, service, for: .save)
            // Whether there is a credential that has another version would tell whether there is one.
            if ifVersion != nil { try modules.authoriser.authoriseAnswer(request, about: user, of: service) }
            try modules.requireRoom(request, toSave: user, of: service)
        }
        let writer = try request.writer()
        let open = try modules.vault.unlocked()
        var draft = CredentialDraft(service: service, user: user, password: password, rules: nil, writer: writer)
        if changes.isAny {
            let old = try attempting { () throws(VaultError) in
                try open.readers.credentials.get(for: service, user: user)
            }
            draft.details = try modules.details(changes, of: old, for: user, at: service, request)
        }
        let saved = try attempting { () throws(VaultError) in
            try open.writers.credentials.save(draft, ifVersion: ifVersion.map(storedVersion), at: modules.clock.now)
        }
        modules.noteWritten(saved, of: service, request)
        if draft.details.changesDetails { request.session.memory.ownership.ownDetails(saved) }
        return SavedAnswer(credential: saved.id.description, changed: saved.changed)
    }
}

extension Modules {
    /// Whether an app may save for a user, and there is room for one more where there is none of that user.
    func requireRoom(_ request: RequestContext, toSave user: String, of service: Service) throws(RefusedRequest) {
        if try authoriser.authorise(request, toChange: user, of: service) { return }
        try offers.checkRoom(for: service, writtenBy: try request.session.subject().app, try vault.unlocked())
    }

    /// A password was saved. Also where nothing changed it becomes the app's own: it has sent the very password that is saved.
    func noteWritten(_ saved: Saved, of service: Service, _ request: RequestContext) {
        if !request.isProven {
            request.session.memory.ownership.ownPassword(saved, of: service)
            if saved.isNew, let app = request.session.app?.bundleID.text { offers.noteMade(by: app) }
        }
        noteSaved(saved, of: service, request)
    }
}
