// SPDX-License-Identifier: Apache-2.0
internal import AutofillProtocol
internal import AutofillService
internal import CredentialStorage
internal import Credentials

extension KeychainSearch: JudgedCall {
    typealias Area = KeychainMethods
    typealias Decision = Answer

    func promptText(_ views: KeychainViews) -> String? {
        if let namespace = place?.namespace {
            return "list the keychain items of \(shownPath([accessGroup, namespace]))"
        }
        return "search the keychain items of \(shownPath([accessGroup ?? "all access groups"]))"
    }

    /// That another program of the group has an item with these attributes is listed, as that one has a place is; nothing else of
    /// it is, and without attributes not that either.
    func judge(_ views: KeychainViews, _ request: RequestView) throws(Unsettled) -> Answer {
        try views.items.requireOpenVault()
        if let namespace = place?.namespace { return try self.items(of: namespace, views, request) }
        if request.isProven, isOfEverything {
            return Answer(try views.items.all(after: try page.after(), limit: page.limit))
        }
        let groups =
            accessGroup == nil && !request.isProven
            ? try views.access.groups(request) : [try views.access.group(accessGroup, request)]
        let search = ItemSearch(
            accessGroups: groups, attributes: attributes.map { Item.Attribute($0.key, $0.value) },
            collection: collection,
            owner: attributes.isEmpty ? views.access.searchedOwner(in: collection, request) : nil)
        let found = try views.items.items(search, after: try page.after(), limit: page.limit).fitting()
        var items: [FoundItem] = []
        var own: [String] = []
        for item in found.elements {
            let access = try views.access.itemAccess(item, request)
            if access != .withheld {
                items.append(FoundItem(KeychainItemSummary(item)))
                if access == .own { own.append(item.heading) }
            } else if !attributes.isEmpty || views.access.isFormer(item, request) {
                items.append(
                    FoundItem(
                        withheld: item.id.description, accessGroup: item.accessGroup, attributes: attributes,
                        collection: collection))
            }
        }
        if !own.isEmpty { try views.access.requireOwnDataConsent(request, to: own) }
        if !request.isProven { try request.confirmPeer() }
        return Answer(items: items, next: found.next?.description)
    }
}
