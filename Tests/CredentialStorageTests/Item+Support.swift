// SPDX-License-Identifier: Apache-2.0
import CredentialStorage
import Credentials
import SecretMemory

extension StoredItemReader {
    func get(accessGroup: String, service: String, account: String) throws -> Item? {
        try get(accessGroup: accessGroup, place: Item.Place(service: service, account: account))
    }
}

extension Vault {
    /// Sets the data of the item with this place, or of a new one.
    func setItem(
        accessGroup: String, service: String, account: String, data: SecretBytes, writer: Subject? = nil,
        ifVersion version: UInt64? = nil, at now: Timestamp
    ) throws -> Saved {
        let draft = ItemDraft(data: data, writer: writer)
        let place = Item.Place(service: service, account: account)
        guard let old = try readers.items.get(accessGroup: accessGroup, place: place) else {
            return try writers.items.add(draft, accessGroup: accessGroup, place: place, ifVersion: version, at: now)
        }
        return try writers.items.change(old.id, to: draft, ifVersion: version, at: now)
    }

    /// The ids of what a search in a group finds, page by page.
    func found(_ attributes: [String: String], group: String = "group", limit: Int = 100) throws -> [ObjectID] {
        var (ids, cursor): ([ObjectID], ObjectID?) = ([], nil)
        repeat {
            let page = try readers.items.page(
                ItemSearch(accessGroups: [group], attributes: .of(attributes)), after: cursor, limit: limit)
            ids += page.elements.map(\.id)
            cursor = page.next
        } while cursor != nil
        return ids
    }
}

extension Vault {
    /// How many items a service has in a group, page by page.
    func count(accessGroup: String, service: String) throws -> Int {
        var (count, cursor): (Int, ObjectID?) = (0, nil)
        repeat {
            let page = try readers.items.page(accessGroup: accessGroup, service: service, after: cursor, limit: 100)
            count += page.elements.count
            cursor = page.next
        } while cursor != nil
        return count
    }
}

extension StoredItemWriter {
    /// Adds an item that has no place.
    @discardableResult
    func add(_ attributes: [String: String], group: String = "group", data: String = "secret") throws -> ObjectID {
        try add(
            ItemDraft(attributes: .of(attributes), data: SecretBytes(utf8: data), writer: .shop), accessGroup: group,
            place: nil, at: .at()
        ).id
    }
}

extension [Item.Attribute] {
    static func of(_ attributes: [String: String]) -> [Item.Attribute] {
        attributes.sorted { $0.key < $1.key }.map { Item.Attribute($0.key, $0.value) }
    }
}
