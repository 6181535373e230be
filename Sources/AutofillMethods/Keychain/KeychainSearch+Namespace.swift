// SPDX-License-Identifier: Apache-2.0
internal import AssociatedDomains
internal import AutofillProtocol
internal import AutofillService
internal import CredentialStorage
internal import Credentials
internal import Reasons

extension KeychainSearch {
    /// The items of a namespace.
    func items(of namespace: String, _ views: KeychainViews, _ request: RequestView) throws(Unsettled) -> Answer {
        guard !request.isOfSecretService else {
            throw Unsettled(.appNotRegistered, [.app: request.bundleID?.text ?? ""])
        }
        let place = try views.access.place(accessGroup, namespace, request)
        let found = try views.items.items(in: place, after: try page.after(), limit: page.limit).fitting()
        guard !request.isProven else { return Answer(found) }
        // One item of another program is enough to ask: names are for no other client than what they are names of.
        let subject = try request.subject()
        let others = found.elements.filter { !request.hasMade($0.id, $0.version) }
        let isForeign = { (item: Sealed<Item>) in item.writer.map { !subject.isAtLeast($0) } ?? true }
        // The writers of others' items, each once; where there are none, any of its own.
        var writers: [Subject?] = []
        for item in others where isForeign(item) && !writers.contains(item.writer) { writers.append(item.writer) }
        for writer in writers.isEmpty ? others.prefix(1).map(\.writer) : writers {
            _ = try views.access.toAccess(place, writtenBy: writer, isMade: false, request)
        }
        let own = others.filter { !isForeign($0) }
        if !own.isEmpty { try views.access.requireOwnDataConsent(request, to: own.map(\.heading)) }
        try request.confirmPeer()
        return Answer(found)
    }
}

extension KeychainSearch.Answer {
    init(_ page: ItemReader.Page) {
        let page = page.fitting()
        self.init(
            items: page.elements.map { KeychainSearch.FoundItem(KeychainItemSummary($0)) },
            next: page.next?.description)
    }
}
