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
    ///
    /// - Parameter length: of longer rows none is read: an import keeps all that it has changed in settings.
    package func names(beginning prefix: String, upTo length: Int) throws(VaultError) -> [String] {
        try store.read { records throws(VaultError) in
            let range = BlindIndex.range(of: BlindIndex.digest(.settings, [], key: records.key))
            let all = try records.statements.records.shortInScope.all(
                .bytes(range.first), .bytes(range.last), .integer(Int64(length))
            ) { row throws(VaultError) in
                try RecordView.intact { () throws(VaultError) -> StoredSetting in try records.record(row) }
            }.compactMap(\.self)
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
            for name in names { try transaction.setSetting(name, to: nil, at: Timestamp(milliseconds: 0)) }
        }
    }

    /// Keeps a value under a name; nil removes it.
    package func set(_ name: String, to value: SecretBytes?, at now: Timestamp) throws(VaultError) {
        try store.write { transaction throws(VaultError) in
            try transaction.setSetting(name, to: value, at: now)
        }
    }
}
