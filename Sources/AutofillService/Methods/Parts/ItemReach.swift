// SPDX-License-Identifier: Apache-2.0
internal import AutofillProtocol
internal import CredentialStorage
internal import Credentials
internal import Prompting
internal import Reasons

/// Keychain items and verifiers: the app's own and its groups', or with proof everyone's.
///
/// In a group that an app is entitled to it is no secret that an item is there; what it holds, and changing it, is for the
/// program that wrote it, and for others by the person's word.
extension Modules {
    func item(_ place: KeychainPlace, _ account: String) throws(RefusedRequest) -> Item? {
        let open = try vault.unlocked()
        return try attempting { () throws(VaultError) in
            try open.readers.items.get(
                accessGroup: place.group, place: Item.Place(service: place.service, account: account))
        }
    }

    /// The item that a request names; nil where there is none in the groups that it reaches.
    func item(_ name: ItemName, _ request: RequestContext) throws(RefusedRequest) -> Item? {
        if let place = name.place {
            try authoriser.refusePlaces(request, "place")
            return try item(authoriser.place(name.accessGroup, place.service, request), place.account)
        }
        if name.accessGroup != nil { throw .invalid("accessGroup", "nothing beside an item's id") }
        let groups = request.isProven ? nil : try authoriser.accessGroups(request)
        let open = try vault.unlocked()
        guard let id = name.id.flatMap({ ObjectID($0) }), id.kind == .item,
            let item = try attempting({ () throws(VaultError) in try open.readers.items.get(id) }),
            groups?.contains(where: { $0.utf8.elementsEqual(item.accessGroup.utf8) }) ?? true
        else { return nil }
        return item
    }

    /// Whether the caller may have, or change, the item: its own freely, another's by the person's word.
    func authorise(_ request: RequestContext, toReach item: Item) throws(RefusedRequest) -> Authorisation {
        if item.isOfSecretService { return try authoriser.authorise(request, toReachSecret: item) }
        if request.session.memory.itemWords.contains(item.id) { return .granted(nil) }
        return try authoriser.authorise(
            request, toReach: KeychainPlace(item), writtenBy: item.writer, isMade: request.session.hasMade(item),
            shownAs: item.place == nil ? "It is called \(item.heading)." : "")
    }

    func verifier(_ place: KeychainPlace, _ account: String) throws(RefusedRequest) -> Verifier? {
        let open = try vault.unlocked()
        return try attempting { () throws(VaultError) in
            try open.readers.verifiers.get(accessGroup: place.group, service: place.service, account: account)
        }
    }

    /// Whether there is room for another item or verifier, of which there are so many.
    func requireItemRoom(_ count: Int?, _ request: RequestContext) throws(RefusedRequest) {
        guard count ?? 0 < Limits.items, request.isProven || offers.items.hasRoom(for: request.session.account) else {
            throw RefusedRequest(.tooManyItems)
        }
    }

    /// Whether a verifier may be made here, or take the place of the one that is there; the version of that, or 0.
    func authorise(
        _ request: RequestContext, toReplaceVerifierOf account: String, at place: KeychainPlace
    ) throws(RefusedRequest) -> UInt64 {
        guard let old = try verifier(place, account) else {
            try requireItemRoom(try vault.unlocked().counts?.verifiers, request)
            return 0
        }
        _ = try authoriser.authorise(
            request, toReach: place, writtenBy: old.writer, isMade: request.session.memory.ownership.hasMade(old.id))
        return old.version
    }

    /// Keeps a new hash; the failures before it do not count any more.
    ///
    /// - Parameter version: of the verifier whose place it takes, 0 for none: another one is not replaced.
    func keep(
        _ hash: PasswordHash, for account: String, at place: KeychainPlace, _ request: RequestContext,
        ifVersion version: UInt64? = nil
    ) throws(RefusedRequest) -> Saved {
        var entropy = surroundings.entropy
        let now = clock.now
        let verifier = Verifier(
            id: .random(.verifier, using: &entropy), accessGroup: place.group, service: place.service,
            account: account, hash: hash.phc, created: now, changed: now, writer: try request.writer())
        let open = try vault.unlocked()
        let saved = try attempting { () throws(VaultError) in
            try open.writers.verifiers.put(verifier, ifVersion: version)
        }
        if !request.isProven {
            request.session.memory.ownership.noteMade(saved.id)
            if saved.isNew { offers.items.note(saved.id, madeBy: request.session.account) }
        }
        return saved
    }

    /// - Returns: false where there was none.
    func deleteVerifier(_ id: ObjectID) throws(RefusedRequest) -> Bool {
        let open = try vault.unlocked()
        let isDeleted = try attempting { () throws(VaultError) in try open.writers.verifiers.delete(id) }
        offers.items.forget(id)
        return isDeleted
    }
}

extension Session {
    /// Whether it made the item, or changed it to what it is.
    func hasMade(_ item: Item) -> Bool { memory.ownership.hasMade(item.id, item.version) }
}

extension KeychainPlace {
    /// Of an item without a place a grant names the id, and so does a refusal: what else is known of it is not for who may not
    /// read it.
    init(_ item: Item) {
        let service = item.isOfSecretService ? nil : item.place?.service
        self.init(group: item.accessGroup, service: service ?? item.id.description)
    }
}

extension Modules {
    /// Which item a request names, as a prompt names it.
    func shownItem(_ name: ItemName) throws(RefusedRequest) -> String {
        if let place = name.place { return shownPath([name.accessGroup, place.service, place.account]) }
        let open = try vault.unlocked()
        guard let id = name.id.flatMap({ ObjectID($0) }), id.kind == .item,
            let item = try attempting({ () throws(VaultError) in try open.readers.items.get(id) })
        else { throw RefusedRequest(.itemNotFound) }
        return shownPath([item.accessGroup, item.heading, item.place?.account])
    }

    func shownPath(_ parts: [String?]) -> String {
        shown(parts.compactMap(\.self).joined(separator: " / "))
    }
}

extension KeychainItemSummary {
    init(_ item: Item) {
        var attributes: [String: String] = [:]
        for attribute in item.allAttributes { attributes[attribute.name] = attribute.value }
        self.init(
            item: item.id.description, accessGroup: item.accessGroup,
            place: item.place.map { PlaceName(service: $0.service, account: $0.account) },
            details: ItemDetails(
                attributes: attributes, label: item.label, contentType: item.contentType, collection: item.collection),
            version: wireVersion(item.version), created: item.created.description, modified: item.changed.description)
    }
}

extension VaultPage<Item, ObjectID> {
    /// A page of at most some bytes: what does not fit comes with the next one.
    func fitting(_ bytes: Int = Limits.unreadAnswerBytes / 2) -> VaultPage {
        var sum = 0
        let fitting = elements.prefix { item in
            sum +=
                512
                + item.allAttributes.reduce(item.label?.utf8.count ?? 0) {
                    $0 + $1.name.utf8.count + $1.value.utf8.count
                }
            return sum <= bytes
        }
        return fitting.count == elements.count ? self : VaultPage(elements: Array(fitting), next: fitting.last?.id)
    }
}
