// SPDX-License-Identifier: Apache-2.0
internal import AutofillProtocol
internal import AutofillService
internal import CredentialStorage
internal import Credentials

extension KeychainRequest: JudgedCall {
    typealias Area = KeychainMethods
    typealias Decision = Answer

    func judge(_ views: KeychainViews, _ request: RequestView) throws(Unsettled) -> Answer {
        var (found, isReadable): ([Sealed<Item>], [ObjectID: Bool]) = ([], [:])
        // Its own from before, by a claim that any program could make that can pass for it.
        var own: [Sealed<Item>] = []
        for name in items {
            guard let item = try views.item(.id(name), request), isReadable[item.id] == nil else { continue }
            found.append(item)
            isReadable[item.id] = try views.access.mayRead(item, request)
            if !request.hasMade(item.id, item.version), try views.access.owns(item, request) { own.append(item) }
        }
        if !own.isEmpty, try !views.access.hasOwnDataConsent(request) {
            // What is the app's own only by that consent is not its own yet.
            if interaction == .forbid { for item in own { isReadable[item.id] = false } }
            if interaction == .allow {
                try views.access.requireOwnDataConsent(request, to: own.map(\.heading))
            }
        }
        if interaction == .allow {
            try views.access.requireConsent(to: found.filter { isReadable[$0.id] == false }, request)
        }
        try request.confirmPeer()
        let readable = found.filter { isReadable[$0.id] == true }
        return Answer(
            readable: readable.map(\.id.description),
            withheld: found.filter { isReadable[$0.id] == false }.map(\.id.description),
            items: VaultPage(elements: readable, next: ObjectID?.none).fitting().elements
                .map { FoundItem(KeychainItemSummary($0)) })
    }

    func act(on answer: Answer, _ effects: KeychainEffects) -> Answer {
        effects.items.keepConsents()
        return answer
    }

    private typealias FoundItem = KeychainSearch.FoundItem
}
