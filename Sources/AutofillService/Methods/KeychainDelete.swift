// SPDX-License-Identifier: Apache-2.0
internal import AutofillProtocol
internal import CredentialStorage
internal import Credentials

extension KeychainDelete: DecidedCall, PromptedCall {
    func promptSummary(_ modules: Modules) -> String {
        "delete the keychain item \(shownItem(accessGroup, service, account))"
    }

    func decide(_ request: RequestContext, _ modules: Modules) throws(RefusedRequest) -> Changed {
        let place = try modules.authoriser.place(accessGroup, service, request)
        let open = try modules.vault.unlocked()
        guard let item = try modules.item(place, account) else { return Changed(false) }
        _ = try modules.authoriser.authorise(
            request, toReach: place, writtenBy: item.writer, isMade: request.session.hasMade(item))
        return Changed(
            try attempting { () throws(VaultError) in
                try open.deleteItem(item.id, ifVersion: ifVersion.map(UInt64.init))
            })
    }
}
