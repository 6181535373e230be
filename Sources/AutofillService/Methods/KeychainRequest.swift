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
        var (found, isReadable): ([Item], [ObjectID: Bool]) = ([], [:])
        // Its own from before: what any program could say that can pass for it.
        var own: [ObjectID] = []
        for name in items {
            guard let item = try modules.item(.id(name), request), isReadable[item.id] == nil else { continue }
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

    private typealias FoundItem = KeychainSearch.FoundItem
}
