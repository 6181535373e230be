// SPDX-License-Identifier: Apache-2.0
package import Credentials
package import SecretMemory

extension Vault {
    /// The keychain item of an account.
    package func item(accessGroup: String, service: String, account: String) throws(VaultError) -> Item? {
        try read { parts, statements throws(VaultError) in
            let key = parts.keys.index
            return try fetch(
                Item.blindIndex(accessGroup: accessGroup, service: service, account: account, key: key), parts,
                statements)
        }
    }

    package func item(_ id: ObjectID) throws(VaultError) -> Item? {
        try read { parts, statements throws(VaultError) in try fetch(id, parts, statements) }
    }

    /// Items of a service in an access group, in the order of their ids. Opens no more than it gives; one that is damaged is
    /// left out.
    package func items(
        accessGroup: String, service: String, after cursor: ObjectID? = nil, limit: Int = .max
    ) throws(VaultError) -> VaultPage<Item, ObjectID> {
        try read { parts, statements throws(VaultError) in
            let scope = Item.scope(accessGroup: accessGroup, service: service, key: parts.keys.index)
            let rest = try ids(in: scope, statements).filter { id in cursor.map { $0 < id } ?? true }
            var found: [Item] = []
            for id in rest.prefix(limit) {
                let item: Item? = try sound { () throws(VaultError) in try fetch(id, parts, statements) } ?? nil
                if let item { found.append(item) }
            }
            return VaultPage(elements: found, next: rest.count > limit ? rest.prefix(limit).last : nil)
        }
    }

    package func items(after cursor: ObjectID?, limit: Int) throws(VaultError) -> VaultPage<Item, ObjectID> {
        try list(after: cursor, limit: limit)
    }

    /// Sets an account's data, in a new item or in the one that is there; the same data again changes nothing, whatever the
    /// version.
    package func setItem(
        accessGroup: String, service: String, account: String, data: SecretBytes, writer: Subject? = nil,
        ifVersion version: UInt64? = nil, at now: Timestamp
    ) throws(VaultError) -> Saved {
        try write { parts, statements, changes throws(VaultError) in
            let index = Item.blindIndex(
                accessGroup: accessGroup, service: service, account: account, key: parts.keys.index)
            guard let old: Item = try fetch(index, parts, statements) else {
                try check(version, against: 0)
                let new = Item(
                    id: newID(.item), accessGroup: accessGroup, service: service, account: account, data: data,
                    created: now, changed: now, writer: writer)
                try insert(new, parts, statements, &changes)
                return Saved(id: new.id, version: 1, isNew: true, changed: true)
            }
            let isSame = data.equals(old.data)
            if !isSame { try check(version, against: old.version) }
            var new = old
            new.data = data
            new.writer = writer
            return try replace(old, with: new, isSame: isSame, at: now, parts, statements, &changes)
        }
    }

    /// Gives an item another account. Throws `alreadySaved` where that account has one.
    package func renameItem(
        _ id: ObjectID, account: String, ifVersion version: UInt64? = nil, at now: Timestamp
    ) throws(VaultError) -> Saved {
        try write { parts, statements, changes throws(VaultError) in
            guard let old: Item = try fetch(id, parts, statements) else { throw .notFound(id) }
            try check(version, against: old.version)
            var new = old
            new.account = account
            let taken: Item? = try fetch(new.blindIndex(key: parts.keys.index), parts, statements)
            if let taken, taken.id != id { throw .alreadySaved(taken.id) }
            // Not String's ==, which takes other scalars for the same.
            let isSame = account.utf8.elementsEqual(old.account.utf8)
            return try replace(old, with: new, isSame: isSame, at: now, parts, statements, &changes)
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

    private func replace(
        _ old: Item, with candidate: Item, isSame: Bool, at now: Timestamp, _ parts: UnlockedVault,
        _ statements: VaultStatements, _ changes: inout VaultChanges
    ) throws(VaultError) -> Saved {
        guard !isSame else { return Saved(id: old.id, version: old.version, isNew: false, changed: false) }
        var new = candidate
        new.version = old.version + 1
        new.changed = now
        try replace(old, with: new, parts, statements, &changes)
        return Saved(id: new.id, version: new.version, isNew: false, changed: true)
    }
}
