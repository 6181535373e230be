// SPDX-License-Identifier: Apache-2.0
internal import AutofillProtocol
internal import CredentialStorage
internal import Credentials

extension KeychainSearch: DecidedCall, PromptedCall {
    func promptSummary(_ modules: Modules) -> String {
        "search the keychain items of \(modules.shownPath([accessGroup ?? "all access groups"]))"
    }

    /// That another program of the group has an item with these attributes is told, as that one holds a place is; nothing else of
    /// it is, and without attributes not that either.
    func decide(_ request: RequestContext, _ modules: Modules) throws(RefusedRequest) -> Answer {
        let open = try modules.vault.unlocked()
        let groups =
            accessGroup == nil && !request.isProven
            ? try modules.authoriser.accessGroups(request)
            : [try modules.authoriser.accessGroup(accessGroup, request)]
        let search = ItemSearch(
            accessGroups: groups, attributes: attributes.map { Item.Attribute($0.key, $0.value) },
            collection: collection)
        let after = try page.after()
        let limit = page.limit
        let found = try attempting { () throws(VaultError) in
            try open.items(search, after: after, limit: limit)
        }.fitting()
        var items: [FoundItem] = []
        var hasOwn = false
        for item in found.elements {
            if try modules.authoriser.mayRead(item, request) {
                items.append(FoundItem(KeychainItemSummary(item)))
                hasOwn = hasOwn || !request.isProven && !request.session.hasMade(item)
            } else if !attributes.isEmpty {
                items.append(
                    FoundItem(
                        withheld: item.id.description, accessGroup: item.accessGroup, attributes: attributes,
                        collection: collection))
            }
        }
        if hasOwn { try modules.authoriser.requireOwnWord(request) }
        if !request.isProven { try request.confirmPeer() }
        return Answer(items: items, next: found.next?.description)
    }
}
