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
        if place != nil { try modules.authoriser.refusePlaces(request, "place") }
        try checkMembers(request)
        let open = try modules.vault.unlocked()
        let found = try find(request, modules)
        if let old = found.item {
            _ = try modules.authorise(request, toReach: old)
        } else {
            try modules.requireItemRoom(open.counts?.items, request)
        }
        let (created, modified) = try readTimes(at: modules.clock.now)
        let draft = ItemDraft(
            attributes: try attributes(beside: found.item?.place ?? found.place), label: details.label,
            contentType: details.contentType, collection: details.collection, data: data,
            writer: try writer(of: found, request, modules))
        let version = ifVersion.map(storedVersion)
        let saved = try attempting { () throws(VaultError) in
            if let old = found.item {
                return try open.writers.items.change(old.id, to: draft, ifVersion: version, at: modules.clock.now)
            }
            return try open.writers.items.add(
                draft, accessGroup: found.group, place: found.place, ifVersion: version, at: modified, created: created)
        }
        if saved.isNew, !request.isProven { modules.offers.items.note(saved.id, madeBy: request.session.account) }
        // Of another's that was only described anew this program knows no more than before.
        if !request.isProven, data != nil || found.item.map(request.session.hasMade) ?? true {
            request.session.memory.ownership.noteMade(saved.id, saved.version)
        }
        return KeychainSaved(item: saved.id.description, changed: saved.changed, made: saved.isNew)
    }

    /// That its members go together.
    private func checkMembers(_ request: RequestContext) throws(RefusedRequest) {
        if times != ItemTimes(), item != nil || !request.isProven {
            throw .invalid(times.created == nil ? "modified" : "created", "nothing but for a new item, with proof")
        }
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
            if request.session.isOfSecretService, !request.isProven { return try findSecret(request, modules) }
            guard replace == true, let attributes = try attributes(beside: nil) else { return (nil, group, nil) }
            return (try equals(attributes, in: group, modules).last, group, nil)
        }
    }

    /// Items of Secret Service with just these attributes: the caller's own is changed, or stands beside the new one. Another's is
    /// neither replaced nor doubled without the person's word.
    private func findSecret(
        _ request: RequestContext, _ modules: Modules
    ) throws(RefusedRequest) -> (item: Item?, group: String, place: Item.Place?) {
        let group = Item.secretServiceGroup
        guard let attributes = try attributes(beside: nil) else { return (nil, group, nil) }
        var equals = try equals(attributes, in: group, modules)
        // gnome-keyring gives what names no schema this one, so it is in what was taken over from there.
        if equals.isEmpty, !attributes.contains(where: { $0.hasName(Item.genericSchema.name) }) {
            equals = try self.equals(attributes + [Item.genericSchema], in: group, modules)
        }
        var own: Item?
        for item in equals where try modules.authoriser.owns(item, request.session) { own = item }
        guard let other = equals.last, own == nil else { return (replace == true ? own : nil, group, nil) }
        if replace == true { return (other, group, nil) }
        for item in equals where try modules.authoriser.mayRead(item, request) { return (nil, group, nil) }
        _ = try modules.authorise(request, toReach: other)
        return (nil, group, nil)
    }

    private func equals(
        _ attributes: [Item.Attribute], in group: String, _ modules: Modules
    ) throws(RefusedRequest) -> [Item] {
        let open = try modules.vault.unlocked()
        return try attempting { () throws(VaultError) in
            try open.readers.items.all(accessGroup: group, just: attributes, collection: details.collection)
        }
    }

    /// Who is kept as the one that wrote it. Of Secret Service an item stays its maker's, whoever changes it by the person's word; what
    /// is added there with proof is nobody's until it is granted.
    private func writer(
        of found: (item: Item?, group: String, place: Item.Place?), _ request: RequestContext, _ modules: Modules
    ) throws(RefusedRequest) -> Subject? {
        guard found.group.utf8.elementsEqual(Item.secretServiceGroup.utf8) else { return try request.writer() }
        if request.isProven { return found.item?.writer }
        guard let old = found.item, let writer = old.writer, !modules.authoriser.isFormer(old, request.session) else {
            return try request.writer()
        }
        return writer
    }

    /// When a new item was made and changed: what was named, else now.
    private func readTimes(at now: Timestamp) throws(RefusedRequest) -> (created: Timestamp?, modified: Timestamp) {
        let created = try times.created.map { text throws(RefusedRequest) in try Self.instant(text, "created") }
        let modified = try times.modified.map { text throws(RefusedRequest) in try Self.instant(text, "modified") }
        if let created, created > modified ?? now { throw .invalid("created", "an instant before that of modified") }
        return (created, modified ?? now)
    }

    private static func instant(_ text: String, _ member: String) throws(RefusedRequest) -> Timestamp {
        guard let instant = Timestamp(text) else { throw .invalid(member, "an instant: 2026-11-21T09:30:00.000Z") }
        return instant
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
