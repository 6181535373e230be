// SPDX-License-Identifier: Apache-2.0
internal import AutofillProtocol
internal import CredentialStorage
internal import Credentials
internal import Reasons

extension KeychainList: DecidedCall, PromptedCall {
    func promptSummary(_ modules: Modules) -> String {
        place.map { "list the keychain items of \(modules.shownPath([accessGroup, $0.service]))" }
            ?? "list all keychain items"
    }

    func decide(_ request: RequestContext, _ modules: Modules) throws(RefusedRequest) -> Answer {
        let open = try modules.vault.unlocked()
        let after = try page.after()
        let limit = page.limit
        guard let service = place?.service else {
            guard request.isProven else { throw RefusedRequest(.proofRequired) }
            let found = try attempting { () throws(VaultError) in
                try open.readers.items.page(after: after, limit: limit)
            }.fitting()
            return Answer(items: found.elements.map(KeychainItemSummary.init), next: found.next?.description)
        }
        let place = try modules.authoriser.place(accessGroup, service, request)
        let found = try attempting { () throws(VaultError) in
            try open.readers.items.page(accessGroup: place.group, service: place.service, after: after, limit: limit)
        }.fitting()
        // One item of another program is enough to ask: names are as little for everyone as what they stand for.
        let subject = request.isProven ? nil : try request.session.subject()
        let others = request.isProven ? [] : found.elements.filter { !request.session.hasMade($0) }
        let isForeign = { (item: Item) in item.writer.map { subject?.isAtLeast($0) == false } ?? true }
        if let other = others.first(where: isForeign) ?? others.first {
            _ = try modules.authoriser.authorise(request, toReach: place, writtenBy: other.writer, isMade: false)
        }
        if !others.isEmpty, !others.allSatisfy(isForeign) { try modules.authoriser.requireOwnWord(request) }
        if !request.isProven { try request.confirmPeer() }
        return Answer(items: found.elements.map(KeychainItemSummary.init), next: found.next?.description)
    }
}
