// SPDX-License-Identifier: Apache-2.0
internal import Credentials
internal import SecretMemory
internal import VaultFormat

/// A backup as the vault has it on record, in a setting of its own.
struct NotedBackup {
    static let setting = "backups"
    /// How many are on record, the last ones.
    private static let limit = 100

    let path: String
    let made: Timestamp

    static func encode(_ backups: [NotedBackup]) -> SecretBytes {
        let backups = backups.suffix(limit)
        return BinaryWriter.encode { writer in
            writer.put(UInt32(backups.count))
            for backup in backups {
                writer.put(backup.path)
                writer.put(backup.made)
            }
        }
    }

    static func decode(_ value: SecretBytes) -> [NotedBackup] {
        value.withUnsafeBytes { bytes in
            var reader = BinaryReader(bytes)
            let count: UInt32 = reader.integer()
            var backups: [NotedBackup] = []
            for _ in 0..<count where reader.isIntact {
                let path = reader.text()
                backups.append(NotedBackup(path: path, made: reader.time()))
            }
            return reader.isIntact ? backups : []
        }
    }

    /// Those on record in another vault with the same key; none in a file that is no such vault.
    static func all(in path: String, _ keys: VaultKeys) -> [NotedBackup] {
        let value = try? VaultSnapshot.read(path) { (snapshot) throws(VaultError) -> SecretBytes? in
            let keys = VaultKeys(vaultKey: keys.vaultKey, format: try VaultSchema.format(of: snapshot.connection))
            let index = StoredSetting.blindIndex(name: setting, key: keys.index)
            let statements = try VaultStatements(on: snapshot.connection)
            return try statements.records.byLookup.first(key: index.bytes) { row throws(VaultError) -> SecretBytes? in
                let opened = try RecordRow(row)?.open(keys)?.record as? StoredSetting
                return opened?.value
            } ?? nil
        }
        return (value ?? nil).map { decode($0) } ?? []
    }
}
