// SPDX-License-Identifier: Apache-2.0
package import Credentials
package import SecretMemory

/// A named value that the daemon keeps in the vault because it is no one else's business.
package struct StoredSetting: VaultRecord {
    package static var idKind: ObjectID.Kind { .setting }

    package let id: ObjectID
    package var version: UInt64
    package let name: String
    package var value: SecretBytes
    package var changed: Timestamp

    package var tally: Tally { .settings }

    package func blindIndex(key: KeyedHash) -> BlindIndex { Self.blindIndex(name: name, key: key) }

    package static func blindIndex(name: String, key: KeyedHash) -> BlindIndex {
        BlindIndex(
            scope: BlindIndex.digest(.settings, [], key: key),
            name: BlindIndex.digest(.settingName, [name], key: key))
    }

    package func write(to writer: inout BinaryWriter) {
        writer.put(name)
        writer.put(value)
        writer.put(changed)
    }

    package init(id: ObjectID, version: UInt64 = 1, name: String, value: SecretBytes, changed: Timestamp) {
        self.id = id
        self.version = version
        self.name = name
        self.value = value
        self.changed = changed
    }

    package init(from reader: inout BinaryReader, id: ObjectID, version: UInt64) {
        let name = reader.text()
        let value = reader.secret()
        self.init(id: id, version: version, name: name, value: value, changed: reader.time())
    }
}
