// SPDX-License-Identifier: Apache-2.0
internal import AutofillProtocol
internal import AutofillService
internal import CredentialStorage
internal import Credentials
internal import Reasons

extension KeychainList: JudgedCall {
    typealias Area = KeychainMethods
    typealias Decision = Answer

    func promptText(_ views: KeychainViews) -> String? {
        guard let namespace = place?.namespace else { return "list all keychain items" }
        return "list the keychain items of \(shownPath([accessGroup, namespace]))"
    }

    func judge(_ views: KeychainViews, _ request: RequestView) throws(Unsettled) -> Answer {
        try views.items.requireOpenVault()
        let (after, limit) = (try page.after(), page.limit)
        guard let namespace = place?.namespace else {
            guard request.isProven else { throw Unsettled(.proofRequired) }
            return Answer(try views.items.all(after: after, limit: limit))
        }
        let place = try views.access.place(accessGroup, namespace, request)
        let found = try views.items.items(in: place, after: after, limit: limit).fitting()
        guard !request.isProven else { return Answer(found) }
        // One item of another program is enough to ask: names are for no other client than what they are names of.
        let subject = try request.subject()
        let others = found.elements.filter { !request.hasMade($0.id, $0.version) }
        let isForeign = { (item: Sealed<Item>) in item.writer.map { !subject.isAtLeast($0) } ?? true }
        if let other = others.first(where: isForeign) ?? others.first {
            _ = try views.access.toAccess(place, writtenBy: other.writer, isMade: false, request)
        }
        let own = others.filter { !isForeign($0) }
        if !own.isEmpty { try views.access.requireOwnDataConsent(request, to: own.map(\.heading)) }
        try request.confirmPeer()
        return Answer(found)
    }
}

extension KeychainList.Answer {
    fileprivate init(_ page: ItemReader.Page) {
        let page = page.fitting()
        self.init(items: page.elements.map(KeychainItemSummary.init), next: page.next?.description)
    }
}
