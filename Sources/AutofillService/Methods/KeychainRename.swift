// SPDX-License-Identifier: Apache-2.0
internal import AutofillProtocol
internal import CredentialStorage
internal import Credentials
internal import Reasons

extension KeychainRename: DecidedCall, PromptedCall {
    func promptSummary(_ modules: Modules) -> String {
        "rename the keychain item \(shownItem(accessGroup, service, account)) to \(shown(newAccount))"
    }

    func decide(_ request: RequestContext, _ modules: Modules) throws(RefusedRequest) -> KeychainSaved {
        let place = try modules.authoriser.place(accessGroup, service, request)
        let open = try modules.vault.unlocked()
        guard let item = try modules.item(place, account) else { throw RefusedRequest(.itemNotFound) }
        _ = try modules.authoriser.authorise(
            request, toReach: place, writtenBy: item.writer, isMade: request.session.hasMade(item))
        if let taken = try modules.item(place, newAccount), taken.id != item.id {
            throw RefusedRequest(.itemExists)
        }
        let saved = try attempting { () throws(VaultError) in
            try open.renameItem(
                item.id, account: newAccount, ifVersion: ifVersion.map(UInt64.init), at: modules.clock.now)
        }
        if request.session.hasMade(item) { request.session.memory.ownership.noteMade(saved.id, saved.version) }
        return KeychainSaved(item: saved.id.description, changed: saved.changed)
    }
}
