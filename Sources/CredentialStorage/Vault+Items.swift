// SPDX-License-Identifier: Apache-2.0
package import Credentials
internal import SecretMemory

extension Vault {
    /// The keychain item that holds a place.
    package func item(accessGroup: String, place: Item.Place) throws(VaultError) -> Item? {
        try read { parts, statements throws(VaultError) in
            let key = parts.keys.index
            return try fetch(Item.blindIndex(accessGroup: accessGroup, place: place, key: key), parts, statements)
        }
    }

    package func item(_ id: ObjectID) throws(VaultError) -> Item? {
        try read { parts, statements throws(VaultError) in try fetch(id, parts, statements) }
    }

    /// All items, in the order of their ids.
    package func items(after cursor: ObjectID?, limit: Int) throws(VaultError) -> VaultPage<Item, ObjectID> {
        try list(after: cursor, limit: limit)
    }

    // MARK: - Changing

    /// Adds an item.
    ///
    /// - Parameter created: when it was made, where that was before it was changed last.
    /// - Throws: `alreadySaved` where another one holds the place, and `versionConflict` where the caller has seen one.
    package func addItem(
        _ draft: ItemDraft, accessGroup: String, place: Item.Place?, ifVersion version: UInt64? = nil,
        at now: Timestamp,
        created: Timestamp? = nil
    ) throws(VaultError) -> Saved {
        try write { parts, statements, changes throws(VaultError) in
            try check(version, against: 0)
            let empty = Item(
                id: newID(.item), accessGroup: accessGroup, place: place, data: SecretBytes(count: 0) { _ in },
                created: created ?? now, changed: now)
            let new = draft.applied(to: empty)
            try checkPlace(of: new, parts, statements)
            try insert(new, parts, statements, &changes)
            return Saved(id: new.id, version: 1, isNew: true, changed: true)
        }
    }

    /// Changes an item; what it has already changes nothing, whatever the version. Throws `notFound` where there is none.
    package func changeItem(
        _ id: ObjectID, to draft: ItemDraft, ifVersion version: UInt64? = nil, at now: Timestamp
    ) throws(VaultError) -> Saved {
        try change(id, ifVersion: version, isRepeatable: true, at: now) { draft.applied(to: $0) }
    }

    /// Gives an item another place. Throws `alreadySaved` where another one holds that, and `notFound` where there is none.
    package func moveItem(
        _ id: ObjectID, to place: Item.Place, ifVersion version: UInt64? = nil, at now: Timestamp
    ) throws(VaultError) -> Saved {
        try change(id, ifVersion: version, isRepeatable: false, at: now) { old in
            var new = old
            new.place = place
            return new
        }
    }

    /// Removes an item.
    ///
    /// - Returns: false where there was none.
    package func deleteItem(_ id: ObjectID, ifVersion version: UInt64? = nil) throws(VaultError) -> Bool {
        try write { parts, statements, changes throws(VaultError) in
            guard let old: Item = try fetch(id, parts, statements) else { return false }
            try check(version, against: old.version)
            try remove(old, statements, &changes)
            return true
        }
    }

    /// - Parameter isRepeatable: whether what is the same already is no conflict of versions.
    private func change(
        _ id: ObjectID, ifVersion version: UInt64?, isRepeatable: Bool, at now: Timestamp, _ body: (Item) -> Item
    ) throws(VaultError) -> Saved {
        try write { parts, statements, changes throws(VaultError) in
            guard let old: Item = try fetch(id, parts, statements) else { throw .notFound(id) }
            var new = body(old)
            let isSame = new.isSame(as: old)
            if !isSame || !isRepeatable { try check(version, against: old.version) }
            guard !isSame else { return Saved(id: id, version: old.version, isNew: false, changed: false) }
            try checkPlace(of: new, parts, statements)
            new.version = old.version + 1
            new.changed = now
            try replace(old, with: new, parts, statements, &changes)
            return Saved(id: id, version: new.version, isNew: false, changed: true)
        }
    }

    /// That no other item holds its place.
    private func checkPlace(
        of item: Item, _ parts: UnlockedVault, _ statements: VaultStatements
    ) throws(VaultError) {
        let taken: Item? = try fetch(item.blindIndex(key: parts.keys.index), parts, statements)
        if let taken, taken.id != item.id { throw .alreadySaved(taken.id) }
    }
}
