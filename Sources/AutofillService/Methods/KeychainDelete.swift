// SPDX-License-Identifier: Apache-2.0
internal import AutofillProtocol
internal import CredentialStorage
internal import Credentials

extension KeychainDelete: DecidedCall, PromptedCall {
    func promptSummary(_ modules: Modules) throws(RefusedRequest) -> String {
        "delete the keychain item \(try modules.shownItem(name))"
    }

    func decide(_ request: RequestContext, _ modules: Modules) throws(RefusedRequest) -> Changed {
        guard let item = try modules.item(name, request) else { return Changed(false) }
        _ = try modules.authorise(request, toReach: item)
        let open = try modules.vault.unlocked()
        let isDeleted = try attempting { () throws(VaultError) in
            try open.writers.items.delete(item.id, ifVersion: ifVersion.map(storedVersion))
        }
        modules.offers.items.forget(item.id)
        return Changed(isDeleted)
    }
}
