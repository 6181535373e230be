// SPDX-License-Identifier: Apache-2.0
internal import AutofillProtocol
internal import CredentialStorage
internal import Credentials
internal import Reasons

extension CredentialDelete: DecidedCall, PromptedCall {
    func promptSummary(_ modules: Modules) throws(RefusedRequest) -> String {
        "delete the password saved for \(try modules.shownCredential(credential))"
    }

    func decide(_ request: RequestContext, _ modules: Modules) throws(RefusedRequest) -> Changed {
        let open = try modules.vault.unlocked()
        guard let id = ObjectID(credential), id.kind == .credential,
            let saved = try attempting({ () throws(VaultError) in try open.readers.credentials.get(id) }),
            let service = try modules.authoriser.reached(saved, request)
        else { throw try modules.unknown(.credentialNotFound, request) }
        let ownership = request.session.memory.ownership
        if !request.isProven, !ownership.owns(id, saved.version) {
            // Who wrote it, or deleted it, may repeat that.
            if saved.deleted != nil {
                if ownership.hasDeleted(id, saved.version) { return Changed(false) }
                if try modules.authoriser.isOwn(saved.writer, of: request.session) { return Changed(false) }
            }
            if case .ownOnly = try modules.authoriser.authorise(request, for: service) {
                throw RefusedRequest(.notOwn)
            }
        }
        let deleted = try attempting { () throws(VaultError) in
            try open.writers.credentials.delete(id, ifVersion: ifVersion.map(storedVersion), at: modules.clock.steady)
        }
        if deleted.changed {
            request.session.memory.ownership.noteDeleted(deleted)
            modules.events.announce(.credentialsChanged(id, saved.services.map(\.service), .deleted), causedBy: request)
        }
        return Changed(deleted.changed)
    }
}
