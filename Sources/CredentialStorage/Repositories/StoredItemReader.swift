// SPDX-License-Identifier: Apache-2.0
package import Credentials
internal import VaultFormat

/// Finds keychain items.
package struct StoredItemReader {
    private let store: RecordStore

    init(_ store: RecordStore) { self.store = store }

    package func get(_ id: ObjectID) throws(VaultError) -> Item? {
        try store.read { records throws(VaultError) in try records.fetch(id) }
    }

    /// The item with this `place`.
    package func get(accessGroup: String, place: Item.Place) throws(VaultError) -> Item? {
        try store.read { records throws(VaultError) in
            try records.fetch(Item.blindIndex(accessGroup: accessGroup, place: place, key: records.key))
        }
    }

    /// All items, in the order of their ids.
    package func page(after cursor: ObjectID?, limit: Int) throws(VaultError) -> VaultPage<Item, ObjectID> {
        try store.read { records throws(VaultError) in try records.list(after: cursor, limit: limit) }
    }

    /// The items that a search finds, in the order of their ids. Opens no more than it returns, and no more than a turn may open.
    /// Damaged ones are left out.
    package func page(
        _ search: ItemSearch, after cursor: ObjectID? = nil, limit: Int = .max - 1
    ) throws(VaultError) -> VaultPage<Item, ObjectID> {
        try store.read { records throws(VaultError) in
            // The page of a group that ends early ends that of all: what the others have after its end is on the next page.
            var (found, end): ([ObjectID], ObjectID?) = ([], nil)
            let queries = max(Lookup.least, Lookup.most / max(1, search.accessGroups.count))
            for group in search.accessGroups {
                let page = try records.ids(
                    withAll: search.tags(in: group, key: records.key), after: cursor, limit: limit, queries: queries)
                found += page.elements
                if let next = page.next { end = min(next, end ?? next) }
            }
            let rest = found.filter { id in end.map { id <= $0 } ?? true }.sorted()
            let page: VaultPage<Item, ObjectID> = try records.page(of: rest, limit: limit)
            return VaultPage(
                elements: page.elements.filter { $0.isFound(by: search, key: records.key) }, next: page.next ?? end)
        }
    }

    /// The items of a service in an access group, in the order of their ids.
    package func page(
        accessGroup: String, service: String, after cursor: ObjectID? = nil, limit: Int = .max - 1
    ) throws(VaultError) -> VaultPage<Item, ObjectID> {
        if try store.unlocked.keys.format > .first {
            let attribute = Item.Attribute(Item.Place.serviceName, service)
            return try page(
                ItemSearch(accessGroups: [accessGroup], attributes: [attribute]), after: cursor, limit: limit)
        }
        return try store.read { records throws(VaultError) in
            let scope = Item.scope(accessGroup: accessGroup, service: service, key: records.key)
            let rest = try records.ids(in: scope).filter { id in cursor.map { $0 < id } ?? true }
            return try records.page(of: rest, limit: limit)
        }
    }

    /// The items without a `place` that have exactly these attributes, the one that was changed first before others.
    package func all(
        accessGroup: String, just attributes: [Item.Attribute], collection: String?
    ) throws(VaultError) -> [Item] {
        let search = ItemSearch(accessGroups: [accessGroup], attributes: attributes, collection: collection)
        var (found, cursor): ([Item], ObjectID?) = ([], nil)
        repeat {
            let page = try page(search, after: cursor, limit: 100)
            found += page.elements.filter { $0.place == nil && $0.attributes.count == attributes.count }
            cursor = page.next
        } while cursor != nil
        return found.enumerated().sorted { ($0.element.changed, $0.offset) < ($1.element.changed, $1.offset) }
            .map(\.element)
    }
}

/// A search for keychain items.
package struct ItemSearch: Sendable {
    /// At least one.
    package let accessGroups: [String]
    /// An item has all of them.
    package let attributes: [Item.Attribute]
    package let collection: String?
    /// The app that wrote an item; in the access group of Secret Service only.
    package let owner: String?

    package init(
        accessGroups: [String], attributes: [Item.Attribute] = [], collection: String? = nil, owner: String? = nil
    ) {
        (self.accessGroups, self.attributes, self.collection) = (accessGroups, attributes, collection)
        self.owner = owner
    }

    /// The tags that an item of a group must have.
    fileprivate func tags(in group: String, key: KeyedHash) -> [SealTag] {
        var tags = attributes.map { Item.lookup(accessGroup: group, $0, key: key) }
        if let collection { tags.append(Item.lookup(accessGroup: group, collection: collection, key: key)) }
        if let owner { tags.append(Item.lookup(accessGroup: group, owner: owner, key: key)) }
        return tags.isEmpty ? [Item.lookup(accessGroup: group, key: key)] : tags
    }
}

extension Item {
    /// Whether the record confirms what the table of look-ups states.
    fileprivate func isFound(by search: ItemSearch, key: KeyedHash) -> Bool {
        guard search.accessGroups.contains(where: { $0.utf8.elementsEqual(accessGroup.utf8) }) else { return false }
        return Set(search.tags(in: accessGroup, key: key)).isSubset(of: lookups(key: key))
    }
}
