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
            let saved = try attempting({ () throws(VaultError) in try open.credential(id) })
        else { throw RefusedRequest(.credentialNotFound) }
        if !request.isProven, !request.session.memory.ownership.owns(id, saved.version) {
            if case .ownOnly = try modules.authoriser.authorise(request, for: saved.service) {
                throw RefusedRequest(.notOwn)
            }
        }
        let deleted = try attempting { () throws(VaultError) in
            try open.delete(id, ifVersion: ifVersion.map(UInt64.init), at: modules.clock.steady)
        }
        if deleted.changed {
            modules.events.announce(.credentialsChanged(id, saved.service, .deleted), causedBy: request)
        }
        return Changed(deleted.changed)
    }
}
