// SPDX-License-Identifier: Apache-2.0
internal import AutofillProtocol
internal import CredentialStorage
internal import Credentials
internal import Reasons

/// Gets a deleted credential back.
extension CredentialRestore: DecidedCall {
    func decide(_ request: RequestContext, _ modules: Modules) throws(RefusedRequest) -> Changed {
        let open = try modules.vault.unlocked()
        guard let id = ObjectID(credential), id.kind == .credential else {
            throw RefusedRequest(.credentialNotFound)
        }
        let restored = try attempting { () throws(VaultError) in
            try open.writers.credentials.undelete(id, at: modules.clock.now)
        }
        if restored.changed,
            let saved = try attempting({ () throws(VaultError) in try open.readers.credentials.get(id) })
        {
            modules.events.announce(.credentialsChanged(id, saved.services.map(\.service), .saved), causedBy: request)
        }
        return Changed(restored.changed)
    }
}
