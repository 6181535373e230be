// SPDX-License-Identifier: Apache-2.0
internal import AssociatedDomains
internal import AutofillProtocol
internal import CredentialStorage
internal import Credentials
internal import Settings

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
            collection: collection, owner: owner(request, modules))
        let after = try page.after()
        let limit = page.limit
        let found = try attempting { () throws(VaultError) in
            try open.readers.items.page(search, after: after, limit: limit)
        }.fitting()
        var items: [FoundItem] = []
        var hasOwn = false
        for item in found.elements {
            let reach = try modules.authoriser.reach(of: item, request)
            if reach != .withheld {
                items.append(FoundItem(KeychainItemSummary(item)))
                hasOwn = hasOwn || reach == .own
            } else if !attributes.isEmpty || modules.authoriser.isFormer(item, request.session) {
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

    /// Whose items alone are looked at: what is told of without attributes are the program's own, where these have an owner.
    private func owner(_ request: RequestContext, _ modules: Modules) -> String? {
        guard attributes.isEmpty, !request.isProven, request.session.isOfSecretService,
            modules.settings.effective.secretServiceIsolation == .apps
        else { return nil }
        return request.session.app?.bundleID.text
    }
}
