// SPDX-License-Identifier: Apache-2.0
internal import AutofillProtocol
internal import CredentialStorage
internal import Credentials
internal import Reasons

extension KeychainRequest: DecidedCall {
    func decide(_ request: RequestContext, _ modules: Modules) throws(RefusedRequest) -> Answer {
        request.place.page = PageContext(parentWindow: parentWindow)
        let session = request.session
        session.memory.itemWords.formUnion(try request.allowedItems())
        let named = try all(request, modules)
        var (found, isReadable): ([Item], [ObjectID: Bool]) = ([], [:])
        // Its own from before: what any program could say that can pass for it.
        var own: [ObjectID] = []
        for item in named where isReadable[item.id] == nil {
            found.append(item)
            isReadable[item.id] = try modules.authoriser.mayRead(item, request)
            if !session.hasMade(item), try modules.authoriser.owns(item, session) { own.append(item.id) }
        }
        if !own.isEmpty, try !modules.authoriser.hasOwnWord(session) {
            // What is the app's own only by that word is not its own yet.
            if interaction == .forbid { for id in own { isReadable[id] = false } }
            if interaction == .allow { try modules.authoriser.requireOwnWord(request) }
        }
        if interaction == .allow {
            try modules.authoriser.requireWord(on: found.filter { isReadable[$0.id] == false }, request)
        }
        try request.confirmPeer()
        let readable = found.filter { isReadable[$0.id] == true }
        return Answer(
            readable: readable.map(\.id.description),
            withheld: found.filter { isReadable[$0.id] == false }.map(\.id.description),
            items: VaultPage(elements: readable, next: ObjectID?.none).fitting().elements
                .map { FoundItem(KeychainItemSummary($0)) })
    }

    /// The items that are named and there, without their bytes.
    private func all(_ request: RequestContext, _ modules: Modules) throws(RefusedRequest) -> [Item] {
        let open = try modules.vault.unlocked()
        let found = try modules.all(.namedItems, request) { (cursor: Int?) throws(RefusedRequest) in
            var (place, found): (Int, [Item]) = (cursor ?? 0, [])
            repeat {
                if let item = try modules.item(.id(items[place]), request) { found.append(item.withoutData) }
                place += 1
            } while place < items.count && open.mayOpenMore
            return VaultPage(elements: found, next: place < items.count ? place : nil)
        }
        return try modules.current(found)
    }

    private typealias FoundItem = KeychainSearch.FoundItem
}
