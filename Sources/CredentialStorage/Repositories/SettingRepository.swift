// SPDX-License-Identifier: Apache-2.0
package import Credentials
package import SecretMemory
internal import VaultFormat

/// Reads the values that the daemon keeps in the vault under names.
package struct StoredSettingReader {
    private let store: RecordStore

    init(_ store: RecordStore) { self.store = store }

    /// nil where there is none.
    package func get(_ name: String) throws(VaultError) -> SecretBytes? {
        try store.read { records throws(VaultError) in
            let found: StoredSetting? = try records.fetch(StoredSetting.blindIndex(name: name, key: records.key))
            return found?.value
        }
    }

    /// The names with a prefix, those whose values were changed the longest time ago first.
    package func names(beginning prefix: String) throws(VaultError) -> [String] {
        try store.read { records throws(VaultError) in
            let all: [StoredSetting] = try records.fetchAll(in: BlindIndex.digest(.settings, [], key: records.key))
            return all.filter { $0.name.hasPrefix(prefix) }.sorted { $0.changed < $1.changed }.map(\.name)
        }
    }
}

/// Changes the values that the daemon keeps in the vault under names.
package struct StoredSettingWriter {
    private let store: RecordStore

    init(_ store: RecordStore) { self.store = store }

    /// Removes the values of names, in one transaction.
    package func remove(_ names: [String]) throws(VaultError) {
        try store.write { transaction throws(VaultError) in
            for name in names {
                let index = StoredSetting.blindIndex(name: name, key: transaction.records.key)
                let old: StoredSetting? = try transaction.records.fetch(index)
                if let old { try transaction.remove(old) }
            }
        }
    }

    /// Keeps a value under a name; nil removes it.
    package func set(_ name: String, to value: SecretBytes?, at now: Timestamp) throws(VaultError) {
        try store.write { transaction throws(VaultError) in
            let index = StoredSetting.blindIndex(name: name, key: transaction.records.key)
            let old: StoredSetting? = try transaction.records.fetch(index)
            switch (old, value) {
            case (nil, nil): break
            case (let old?, nil): try transaction.remove(old)
            case (nil, let value?):
                try transaction.insert(
                    StoredSetting(id: store.newID(.setting), name: name, value: value, changed: now))
            case (let old?, let value?):
                let new = StoredSetting(id: old.id, version: old.version + 1, name: name, value: value, changed: now)
                try transaction.replace(old, with: new)
            }
        }
    }
}
