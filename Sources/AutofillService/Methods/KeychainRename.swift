// SPDX-License-Identifier: Apache-2.0
internal import AutofillProtocol
internal import CredentialStorage
internal import Credentials
internal import Reasons

extension KeychainRename: DecidedCall, PromptedCall {
    func promptSummary(_ modules: Modules) throws(RefusedRequest) -> String {
        "rename the keychain item \(try modules.shownItem(name)) to \(modules.shownPath([newPlace.service, newPlace.account]))"
    }

    func decide(_ request: RequestContext, _ modules: Modules) throws(RefusedRequest) -> KeychainSaved {
        guard let item = try modules.item(name, request) else { throw RefusedRequest(.itemNotFound) }
        _ = try modules.authorise(request, toReach: item)
        let place = KeychainPlace(group: item.accessGroup, service: newPlace.service)
        if let taken = try modules.item(place, newPlace.account), taken.id != item.id {
            throw RefusedRequest(.itemExists)
        }
        let open = try modules.vault.unlocked()
        let saved = try attempting { () throws(VaultError) in
            try open.writers.items.move(
                item.id, to: Item.Place(service: newPlace.service, account: newPlace.account),
                ifVersion: ifVersion.map(storedVersion), at: modules.clock.now)
        }
        if request.session.hasMade(item) { request.session.memory.ownership.noteMade(saved.id, saved.version) }
        return KeychainSaved(item: saved.id.description, changed: saved.changed)
    }
}
