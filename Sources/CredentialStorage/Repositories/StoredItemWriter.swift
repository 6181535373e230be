// SPDX-License-Identifier: Apache-2.0
package import Credentials
internal import SecretMemory
internal import VaultFormat

/// Changes keychain items.
package struct StoredItemWriter {
    private let store: RecordStore

    init(_ store: RecordStore) { self.store = store }

    /// Adds an item.
    ///
    /// - Parameter created: when it was made, where that was before its last change.
    /// - Throws: `alreadySaved` where another one has the `place`, and `versionConflict` where the caller has seen one.
    package func add(
        _ draft: ItemDraft, accessGroup: String, place: Item.Place?, ifVersion version: UInt64? = nil,
        at now: Timestamp, created: Timestamp? = nil
    ) throws(VaultError) -> Saved {
        try store.write { transaction throws(VaultError) in
            try transaction.check(version, against: 0)
            let empty = Item(
                id: store.newID(.item), accessGroup: accessGroup, place: place,
                data: .empty, created: created ?? now, changed: now)
            let new = draft.applied(to: empty)
            try transaction.checkPlace(of: new)
            try transaction.insert(new)
            return Saved(new, isNew: true)
        }
    }

    /// Changes an item. A change to what it has already writes nothing, whatever the version. Throws `notFound` where there is
    /// none.
    package func change(
        _ id: ObjectID, to draft: ItemDraft, ifVersion version: UInt64? = nil, at now: Timestamp
    ) throws(VaultError) -> Saved {
        try change(id, ifVersion: version, isRepeatable: true, at: now) { draft.applied(to: $0) }
    }

    /// Gives an item another `place`. Throws `alreadySaved` where another one has that, and `notFound` where there is none.
    package func move(
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
    package func delete(_ id: ObjectID, ifVersion version: UInt64? = nil) throws(VaultError) -> Bool {
        try store.write { transaction throws(VaultError) in
            guard let old: Item = try transaction.records.fetch(id) else { return false }
            try transaction.check(version, against: old.version)
            try transaction.remove(old)
            return true
        }
    }

    /// - Parameter isRepeatable: whether a change to what the item has already is no conflict of versions.
    private func change(
        _ id: ObjectID, ifVersion version: UInt64?, isRepeatable: Bool, at now: Timestamp, _ body: (Item) -> Item
    ) throws(VaultError) -> Saved {
        try store.write { transaction throws(VaultError) in
            guard let old: Item = try transaction.records.fetch(id) else { throw .notFound(id) }
            var new = body(old)
            let isSame = new.isSame(as: old)
            if !isSame || !isRepeatable { try transaction.check(version, against: old.version) }
            guard !isSame else { return Saved(unchanged: old) }
            try transaction.checkPlace(of: new)
            new.version = old.version + 1
            new.changed = now
            try transaction.replace(old, with: new)
            return Saved(new, isNew: false)
        }
    }
}

extension RecordTransaction {
    /// Throws `alreadySaved` where another item has the `place` of this one.
    fileprivate func checkPlace(of item: Item) throws(VaultError) {
        let other: Item? = try records.fetch(item.blindIndex(key: records.key))
        if let other, other.id != item.id { throw .alreadySaved(other.id) }
    }
}
