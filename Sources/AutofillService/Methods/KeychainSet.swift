// SPDX-License-Identifier: Apache-2.0
internal import AutofillProtocol
internal import CredentialStorage
internal import Credentials

extension KeychainSet: DecidedCall, PromptedCall {
    func promptSummary(_ modules: Modules) -> String {
        "change the keychain item \(shownItem(accessGroup, service, account))"
    }

    func decide(_ request: RequestContext, _ modules: Modules) throws(RefusedRequest) -> KeychainSaved {
        let place = try modules.authoriser.place(accessGroup, service, request)
        let open = try modules.vault.unlocked()
        let writer = try request.writer()
        if let old = try modules.item(place, account) {
            _ = try modules.authoriser.authorise(
                request, toReach: place, writtenBy: old.writer, isMade: request.session.hasMade(old))
        } else {
            try modules.requireItemRoom(open.counts?.items, request)
        }
        let saved = try attempting { () throws(VaultError) in
            try open.setItem(
                accessGroup: place.group, service: place.service, account: account, data: data,
                writer: writer, ifVersion: ifVersion.map(UInt64.init), at: modules.clock.now)
        }
        if saved.isNew { modules.offers.noteItem(madeBy: request.session.account) }
        if !request.isProven { request.session.memory.ownership.noteMade(saved.id, saved.version) }
        return KeychainSaved(item: saved.id.description, changed: saved.changed)
    }
}
