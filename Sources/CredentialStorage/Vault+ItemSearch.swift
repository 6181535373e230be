// SPDX-License-Identifier: Apache-2.0
package import Credentials

/// What keychain items are searched for.
package struct ItemSearch: Sendable {
    /// At least one.
    package let accessGroups: [String]
    /// All of which an item has.
    package let attributes: [Item.Attribute]
    package let collection: String?
    /// The app that wrote an item; of the group of Secret Service only.
    package let owner: String?

    package init(
        accessGroups: [String], attributes: [Item.Attribute] = [], collection: String? = nil, owner: String? = nil
    ) {
        (self.accessGroups, self.attributes, self.collection) = (accessGroups, attributes, collection)
        self.owner = owner
    }

    /// The tags that an item of a group has to have.
    fileprivate func tags(in group: String, key: KeyedHash) -> [SealTag] {
        var tags = attributes.map { Item.lookup(accessGroup: group, $0, key: key) }
        if let collection { tags.append(Item.lookup(accessGroup: group, collection: collection, key: key)) }
        if let owner { tags.append(Item.lookup(accessGroup: group, owner: owner, key: key)) }
        return tags.isEmpty ? [Item.lookup(accessGroup: group, key: key)] : tags
    }
}

extension Vault {
    /// The items that a search finds, in the order of their ids. Opens no more than it gives, and no more than a turn may; one that is
    /// damaged is left out.
    package func items(
        _ search: ItemSearch, after cursor: ObjectID? = nil, limit: Int = .max - 1
    ) throws(VaultError) -> VaultPage<Item, ObjectID> {
        try read { parts, statements throws(VaultError) in
            let key = parts.keys.index
            // A group's page that ends early ends them all: what the others have behind it comes with the next one.
            var (found, end): ([ObjectID], ObjectID?) = ([], nil)
            let looks = max(Lookup.least, Lookup.most / max(1, search.accessGroups.count))
            for group in search.accessGroups {
                let page = try ids(
                    withAll: search.tags(in: group, key: key), after: cursor, limit: limit, looks: looks, statements)
                found += page.elements
                if let next = page.next { end = min(next, end ?? next) }
            }
            let rest = found.filter { id in end.map { id <= $0 } ?? true }.sorted()
            let page = try page(of: rest, limit: limit, parts, statements, as: Item.self)
            return VaultPage(
                elements: page.elements.filter { $0.isFound(by: search, key: key) }, next: page.next ?? end)
        }
    }

    /// Items of a service in an access group, in the order of their ids.
    package func items(
        accessGroup: String, service: String, after cursor: ObjectID? = nil, limit: Int = .max - 1
    ) throws(VaultError) -> VaultPage<Item, ObjectID> {
        if try unlocked.keys.format > .first {
            let attribute = Item.Attribute(Item.Place.serviceName, service)
            return try items(
                ItemSearch(accessGroups: [accessGroup], attributes: [attribute]), after: cursor, limit: limit)
        }
        return try read { parts, statements throws(VaultError) in
            let scope = Item.scope(accessGroup: accessGroup, service: service, key: parts.keys.index)
            let rest = try ids(in: scope, statements).filter { id in cursor.map { $0 < id } ?? true }
            return try page(of: rest, limit: limit, parts, statements, as: Item.self)
        }
    }

    /// The items without a place that have these attributes, those and no others, the one that was changed first before others.
    package func items(
        accessGroup: String, just attributes: [Item.Attribute], collection: String?
    ) throws(VaultError) -> [Item] {
        let search = ItemSearch(accessGroups: [accessGroup], attributes: attributes, collection: collection)
        var (found, cursor): ([Item], ObjectID?) = ([], nil)
        repeat {
            let page = try items(search, after: cursor, limit: 100)
            found += page.elements.filter { $0.place == nil && $0.attributes.count == attributes.count }
            cursor = page.next
        } while cursor != nil
        return found.enumerated().sorted { ($0.element.changed, $0.offset) < ($1.element.changed, $1.offset) }
            .map(\.element)
    }
}

extension Item {
    /// Whether the record bears out what the table of look-ups says.
    fileprivate func isFound(by search: ItemSearch, key: KeyedHash) -> Bool {
        guard search.accessGroups.contains(where: { $0.utf8.elementsEqual(accessGroup.utf8) }) else { return false }
        return Set(search.tags(in: accessGroup, key: key)).isSubset(of: lookups(key: key))
    }
}
