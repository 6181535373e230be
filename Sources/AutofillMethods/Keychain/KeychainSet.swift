// SPDX-License-Identifier: Apache-2.0
internal import AutofillProtocol
internal import AutofillService
internal import CredentialStorage
internal import Credentials
internal import Reasons

extension KeychainSet: JudgedCall {
    typealias Area = KeychainMethods

    enum Decision: Sendable {
        /// - isOwn: whether the item is the connection's own afterwards: of another's that was only described again this program
        ///   learns no more than before.
        case change(ObjectID, to: ItemDraft, isOwn: Bool)
        case add(ItemDraft, group: String, Item.Place?, created: Timestamp?, modified: Timestamp?)
    }

    func promptText(_ views: KeychainViews) throws(Unsettled) -> String? {
        switch target {
        case .item(let id): "change the keychain item \(try views.shownItem(.id(id)))"
        case .place(let place):
            "change the keychain item \(shownPath([place.accessGroup, place.namespace, place.account]))"
        case .attributes(let group):
            "add the keychain item \(shownPath([group, details.label ?? "without a name"]))"
        }
    }

    func judge(_ views: KeychainViews, _ request: RequestView) throws(Unsettled) -> Decision {
        if place != nil { try views.access.refusePlaces(request, "place") }
        try checkMembers(request)
        try views.items.requireOpenVault()
        let found = try find(request, views)
        if let old = found.item {
            _ = try views.access.toAccess(old, request)
        } else {
            try views.quotas.requireItemCapacity(besides: try views.items.count(), request)
        }
        let (created, modified) = try readTimes(at: views.items.now)
        let draft = ItemDraft(
            attributes: try attributes(beside: found.item?.place ?? found.place), label: details.label,
            contentType: details.contentType, collection: details.collection, data: data,
            writer: try writer(of: found, request, views))
        guard let old = found.item else {
            return .add(draft, group: found.group, found.place, created: created, modified: modified)
        }
        return .change(old.id, to: draft, isOwn: data != nil || request.hasMade(old.id, old.version))
    }

    func act(on decision: Decision, _ effects: KeychainEffects) throws(Refusal) -> KeychainSaved {
        let version = ifVersion.map(storedVersion)
        let saved =
            switch decision {
            case .change(let id, let draft, let isOwn):
                try effects.items.change(id, to: draft, ifVersion: version, isOwn: isOwn)
            case .add(let draft, let group, let place, let created, let modified):
                try effects.items.add(
                    draft, to: group, at: place, ifVersion: version, created: created, modified: modified)
            }
        return KeychainSaved(item: saved.id.description, changed: saved.changed, made: saved.isNew)
    }

    /// That its members go together.
    private func checkMembers(_ request: RequestView) throws(Unsettled) {
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

    private typealias Found = (item: Sealed<Item>?, group: String, place: Item.Place?)

    /// The item to be changed, else where a new one is added.
    private func find(_ request: RequestView, _ views: KeychainViews) throws(Unsettled) -> Found {
        switch target {
        case .item(let id):
            guard let item = try views.item(.id(id), request) else { throw Unsettled(.itemNotFound) }
            return (item, item.accessGroup, item.place)
        case .place(let named):
            let place = try views.access.place(named.accessGroup, named.namespace, request)
            let item = try views.items.item(place, named.account)
            if item != nil, replace == false { throw Unsettled(.itemExists) }
            return (item, place.group, Item.Place(service: named.namespace, account: named.account))
        case .attributes(let group):
            let group = try views.access.group(group, request)
            if request.isOfSecretService, !request.isProven { return try findSecret(request, views) }
            guard replace == true, let attributes = try attributes(beside: nil) else { return (nil, group, nil) }
            return (try equals(attributes, in: group, views).last, group, nil)
        }
    }

    /// Items of Secret Service with just these attributes: the caller's own is changed, or stays beside the new one. Another's is
    /// neither replaced nor doubled without the user's consent.
    private func findSecret(_ request: RequestView, _ views: KeychainViews) throws(Unsettled) -> Found {
        let group = Item.secretServiceGroup
        guard let attributes = try attributes(beside: nil) else { return (nil, group, nil) }
        var equals = try equals(attributes, in: group, views)
        // gnome-keyring gives what names no schema this one, so it is in what was imported from there.
        if equals.isEmpty, !attributes.contains(where: { $0.hasName(Item.genericSchema.name) }) {
            equals = try self.equals(attributes + [Item.genericSchema], in: group, views)
        }
        var own: Sealed<Item>?
        for item in equals where try views.access.owns(item, request) { own = item }
        guard let other = equals.last, own == nil else { return (replace == true ? own : nil, group, nil) }
        if replace == true { return (other, group, nil) }
        for item in equals where try views.access.mayRead(item, request) { return (nil, group, nil) }
        _ = try views.access.toAccess(other, request)
        return (nil, group, nil)
    }

    private func equals(
        _ attributes: [Item.Attribute], in group: String, _ views: KeychainViews
    ) throws(Unsettled) -> [Sealed<Item>] {
        try views.items.items(group, just: attributes, collection: details.collection)
    }

    /// The subject that is kept as its writer. Of Secret Service an item stays its maker's, whichever program changes it by the user's
    /// consent; what is added there with proof is nobody's until it is granted.
    private func writer(of found: Found, _ request: RequestView, _ views: KeychainViews) throws(Unsettled) -> Subject? {
        guard found.group.utf8.elementsEqual(Item.secretServiceGroup.utf8) else { return try request.writer() }
        if request.isProven { return found.item?.writer }
        guard let old = found.item, let writer = old.writer, !views.access.isFormer(old, request) else {
            return try request.writer()
        }
        return writer
    }

    /// When a new item was made and changed, as named.
    private func readTimes(at now: Timestamp) throws(Unsettled) -> (created: Timestamp?, modified: Timestamp?) {
        let created = try times.created.map { text throws(Unsettled) in try Self.instant(text, "created") }
        let modified = try times.modified.map { text throws(Unsettled) in try Self.instant(text, "modified") }
        if let created, created > modified ?? now { throw .invalid("created", "an instant before that of modified") }
        return (created, modified)
    }

    private static func instant(_ text: String, _ member: String) throws(Unsettled) -> Timestamp {
        guard let instant = Timestamp(text) else { throw .invalid(member, "an instant: 2026-11-21T09:30:00.000Z") }
        return instant
    }

    /// Those that the item's place does not include.
    private func attributes(beside place: Item.Place?) throws(Unsettled) -> [Item.Attribute]? {
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
