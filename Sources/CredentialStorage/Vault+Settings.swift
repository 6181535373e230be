// SPDX-License-Identifier: Apache-2.0
package import Credentials
package import SecretMemory

extension Vault {
    /// A value that the daemon keeps under a name; nil where there is none.
    package func setting(_ name: String) throws(VaultError) -> SecretBytes? {
        try read { parts, statements throws(VaultError) in
            let found: StoredSetting? = try fetch(
                StoredSetting.blindIndex(name: name, key: parts.keys.index), parts, statements)
            return found?.value
        }
    }

    /// The names that begin so, those whose values were changed the longest time ago first.
    package func settingNames(beginning prefix: String) throws(VaultError) -> [String] {
        try read { parts, statements throws(VaultError) in
            let all: [StoredSetting] = try fetchAll(
                in: BlindIndex.digest(.settings, [], key: parts.keys.index), parts, statements)
            return all.filter { $0.name.hasPrefix(prefix) }.sorted { $0.changed < $1.changed }.map(\.name)
        }
    }

    /// Removes the values of names, in one transaction.
    package func removeSettings(_ names: [String]) throws(VaultError) {
        try write { parts, statements, changes throws(VaultError) in
            for name in names {
                let old: StoredSetting? = try fetch(
                    StoredSetting.blindIndex(name: name, key: parts.keys.index), parts, statements)
                if let old { try remove(old, statements, &changes) }
            }
        }
    }

    /// Keeps a value under a name; nil removes it.
    package func set(_ name: String, to value: SecretBytes?, at now: Timestamp) throws(VaultError) {
        try write { parts, statements, changes throws(VaultError) in
            let index = StoredSetting.blindIndex(name: name, key: parts.keys.index)
            let old: StoredSetting? = try fetch(index, parts, statements)
            switch (old, value) {
            case (nil, nil): break
            case (let old?, nil): try remove(old, statements, &changes)
            case (nil, let value?):
                let new = StoredSetting(id: newID(.setting), name: name, value: value, changed: now)
                try insert(new, parts, statements, &changes)
            case (let old?, let value?):
                let new = StoredSetting(id: old.id, version: old.version + 1, name: name, value: value, changed: now)
                try replace(old, with: new, parts, statements, &changes)
            }
        }
    }
}
