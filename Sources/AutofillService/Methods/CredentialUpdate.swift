// SPDX-License-Identifier: Apache-2.0
internal import AutofillPolicy
internal import AutofillProtocol
internal import CredentialStorage
internal import Credentials
internal import Reasons

/// Sets what a credential has besides user and password.
extension CredentialUpdate: DecidedCall, PromptedCall {
    func promptSummary(_ modules: Modules) throws(RefusedRequest) -> String {
        "change what is noted of the password saved for \(try modules.shownCredential(credential))"
    }

    func decide(_ request: RequestContext, _ modules: Modules) throws(RefusedRequest) -> Changed {
        let open = try modules.vault.unlocked()
        guard let id = ObjectID(credential), id.kind == .credential,
            let old = try attempting({ () throws(VaultError) in try open.readers.credentials.get(id) }),
            old.deleted == nil,
            let service = try modules.authoriser.reached(old, request)
        else { throw try modules.unknown(.credentialNotFound, request) }
        if !request.isProven { try modules.authoriser.examine(request, service, for: .save) }
        let details = try modules.details(changes, of: old, for: old.user, at: service, request)
        let writer = try request.writer()
        let saved = try attempting { () throws(VaultError) in
            try open.writers.credentials.update(id, ifVersion: ifVersion.map(storedVersion), at: modules.clock.now) {
                $0.apply(details, by: writer)
            }
        }
        request.session.memory.ownership.keepOwning(old, as: saved)
        if details.changesDetails { request.session.memory.ownership.ownDetails(saved) }
        modules.noteSaved(saved, of: service, request)
        return Changed(saved.changed)
    }
}
