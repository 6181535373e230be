// SPDX-License-Identifier: Apache-2.0
internal import AutofillProtocol
internal import CredentialStorage
internal import Credentials
internal import Reasons

/// Keychain items: the app's own and its groups', or with proof everyone's.
///
/// In a group that an app is entitled to it is no secret that an item is there; what it holds, and changing it, is for the
/// program that wrote it, and for others by the person's word.
extension AutofillBroker {
    func setItem(_ call: KeychainSet, _ client: Client, _ isProven: Bool) throws(RefusedRequest) -> KeychainSaved {
        let place = try place(call.accessGroup, call.service, client, isProven)
        let open = try vault.unlocked()
        let writer = try writer(client, isProven)
        if let old = try item(place, call.account) {
            _ = try authorise(client, toReach: place, writtenBy: old.writer, call.interaction, isProven)
        } else {
            try checkRoom(open.counts?.items)
        }
        let saved = try attempting { () throws(VaultError) in
            try open.setItem(
                accessGroup: place.group, service: place.service, account: call.account, data: call.data,
                writer: writer, ifVersion: call.ifVersion.map(UInt64.init), at: now)
        }
        return KeychainSaved(item: saved.id.description, changed: saved.changed)
    }

    func getItem(_ call: KeychainGet, _ client: Client, _ isProven: Bool) throws(RefusedRequest) -> KeychainGet.Answer {
        let place = try place(call.accessGroup, call.service, client, isProven)
        guard let item = try item(place, call.account) else { throw RefusedRequest(.itemNotFound) }
        let authorisation = try authorise(
            client, toReach: place, writtenBy: item.writer, call.interaction, isProven)
        try release(item.id, place.granted, .keychainGet, client, authorisation, isProven)
        return KeychainGet.Answer(summary: KeychainItemSummary(item), data: item.data)
    }

    func renameItem(
        _ call: KeychainRename, _ client: Client, _ isProven: Bool
    ) throws(RefusedRequest) -> KeychainSaved {
        let place = try place(call.accessGroup, call.service, client, isProven)
        let open = try vault.unlocked()
        guard let item = try item(place, call.account) else { throw RefusedRequest(.itemNotFound) }
        _ = try authorise(client, toReach: place, writtenBy: item.writer, call.interaction, isProven)
        if let taken = try self.item(place, call.newAccount), taken.id != item.id {
            throw RefusedRequest(.itemExists)
        }
        let saved = try attempting { () throws(VaultError) in
            try open.renameItem(
                item.id, account: call.newAccount, ifVersion: call.ifVersion.map(UInt64.init), at: now)
        }
        return KeychainSaved(item: saved.id.description, changed: saved.changed)
    }

    func deleteItem(_ call: KeychainDelete, _ client: Client, _ isProven: Bool) throws(RefusedRequest) -> Changed {
        let place = try place(call.accessGroup, call.service, client, isProven)
        let open = try vault.unlocked()
        guard let item = try item(place, call.account) else { return Changed(false) }
        _ = try authorise(client, toReach: place, writtenBy: item.writer, call.interaction, isProven)
        return Changed(
            try attempting { () throws(VaultError) in
                try open.deleteItem(item.id, ifVersion: call.ifVersion.map(UInt64.init))
            })
    }

    func listItems(
        _ call: KeychainList, _ client: Client, _ isProven: Bool
    ) throws(RefusedRequest) -> KeychainList.Answer {
        let open = try vault.unlocked()
        let after = try cursor(call.page.cursor)
        guard let service = call.service else {
            guard isProven else { throw RefusedRequest(.proofRequired) }
            let page = try attempting { () throws(VaultError) in try open.items(after: after, limit: call.page.limit) }
            return KeychainList.Answer(
                items: page.elements.map(KeychainItemSummary.init), next: page.next?.description)
        }
        let place = try place(call.accessGroup, service, client, isProven)
        let page = try attempting { () throws(VaultError) in
            try open.items(
                accessGroup: place.group, service: place.service, after: after, limit: call.page.limit)
        }
        // One item of another program is enough to ask: names are as little for everyone as what they stand for.
        let subject = isProven ? nil : try subject(of: client)
        if let subject, let foreign = page.elements.first(where: { $0.writer.map { !subject.isAtLeast($0) } ?? true }) {
            _ = try authorise(client, toReach: place, writtenBy: foreign.writer, call.interaction, isProven)
        }
        if !isProven { try confirmPeer(of: client) }
        return KeychainList.Answer(
            items: page.elements.map(KeychainItemSummary.init), next: page.next?.description)
    }

    private func item(_ place: KeychainPlace, _ account: String) throws(RefusedRequest) -> Item? {
        let open = try vault.unlocked()
        return try attempting { () throws(VaultError) in
            try open.item(accessGroup: place.group, service: place.service, account: account)
        }
    }
}

extension KeychainItemSummary {
    init(_ item: Item) {
        self.init(
            item: item.id.description, accessGroup: item.accessGroup, service: item.service, account: item.account,
            version: Int(clamping: item.version), created: item.created.description, changed: item.changed.description)
    }
}
