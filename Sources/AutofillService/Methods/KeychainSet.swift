// SPDX-License-Identifier: Apache-2.0
internal import AutofillProtocol
internal import CredentialStorage
internal import Credentials
internal import Reasons

extension KeychainSet: DecidedCall, PromptedCall {
    func promptSummary(_ modules: Modules) throws(RefusedRequest) -> String {
        switch target {
        case .item(let id): "change the keychain item \(try modules.shownItem(.id(id)))"
        case .place(let place):
            "change the keychain item \(modules.shownPath([place.accessGroup, place.service, place.account]))"
        case .attributes(let group):
            "add the keychain item \(modules.shownPath([group, details.label ?? "without a name"]))"
        }
    }

    func decide(_ request: RequestContext, _ modules: Modules) throws(RefusedRequest) -> KeychainSaved {
        try checkMembers()
        let open = try modules.vault.unlocked()
        let found = try find(request, modules)
        if let old = found.item {
            _ = try modules.authorise(request, toReach: old)
        } else {
            try modules.requireItemRoom(open.counts?.items, request)
        }
        let draft = ItemDraft(
            attributes: try attributes(beside: found.item?.place ?? found.place), label: details.label,
            contentType: details.contentType, collection: details.collection, data: data, writer: try request.writer())
        let version = ifVersion.map(storedVersion)
        let saved = try attempting { () throws(VaultError) in
            if let old = found.item {
                return try open.changeItem(old.id, to: draft, ifVersion: version, at: modules.clock.now)
            }
            return try open.addItem(
                draft, accessGroup: found.group, place: found.place, ifVersion: version, at: modules.clock.now)
        }
        if saved.isNew { modules.offers.noteItem(madeBy: request.session.account) }
        // Of another's that was only described anew this program knows no more than before.
        if !request.isProven, data != nil || found.item.map(request.session.hasMade) ?? true {
            request.session.memory.ownership.noteMade(saved.id, saved.version)
        }
        return KeychainSaved(item: saved.id.description, changed: saved.changed)
    }

    /// That its members go together.
    private func checkMembers() throws(RefusedRequest) {
        if item != nil {
            if place != nil { throw .invalid("place", "nothing beside an item's id: keychain.rename moves it") }
            if accessGroup != nil { throw .invalid("accessGroup", "nothing beside an item's id") }
            if replace != nil { throw .invalid("replace", "nothing beside an item's id") }
        } else if place == nil, details.attributes?.isEmpty ?? true {
            throw .invalid("place", "a place, an item's id, or attributes")
        } else if data == nil {
            throw .invalid("data", "{\"base64\": …}, the item's bytes")
        }
    }

    /// The item to be changed, else where a new one goes.
    private func find(
        _ request: RequestContext, _ modules: Modules
    ) throws(RefusedRequest) -> (item: Item?, group: String, place: Item.Place?) {
        switch target {
        case .item(let id):
            guard let item = try modules.item(.id(id), request) else { throw RefusedRequest(.itemNotFound) }
            return (item, item.accessGroup, item.place)
        case .place(let named):
            let place = try modules.authoriser.place(named.accessGroup, named.service, request)
            let item = try modules.item(place, named.account)
            if item != nil, replace == false { throw RefusedRequest(.itemExists) }
            return (item, place.group, Item.Place(service: named.service, account: named.account))
        case .attributes(let group):
            let group = try modules.authoriser.accessGroup(group, request)
            guard replace == true, let attributes = try attributes(beside: nil) else { return (nil, group, nil) }
            let open = try modules.vault.unlocked()
            let item = try attempting { () throws(VaultError) in
                try open.item(accessGroup: group, attributes: attributes, collection: details.collection)
            }
            return (item, group, nil)
        }
    }

    /// Those that the item's place does not stand for.
    private func attributes(beside place: Item.Place?) throws(RefusedRequest) -> [Item.Attribute]? {
        guard var attributes = details.attributes else { return nil }
        for own in place?.attributes ?? [] {
            guard let given = attributes.removeValue(forKey: own.name) else { continue }
            guard own.isSame(as: Item.Attribute(own.name, given)) else {
                throw .invalid("attributes", "an object whose \(own.name) is that of the item's place")
            }
        }
        return attributes.map { Item.Attribute($0.key, $0.value) }
    }
}
