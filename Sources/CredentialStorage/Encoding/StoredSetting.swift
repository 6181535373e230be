// SPDX-License-Identifier: Apache-2.0
internal import Credentials
internal import SecretMemory

/// A named value that the daemon keeps in the vault because it is no one else's business.
struct StoredSetting: VaultRecord {
    static var idKind: ObjectID.Kind { .setting }

    let id: ObjectID
    var version: UInt64
    let name: String
    var value: SecretBytes
    var changed: Timestamp

    var tally: Tally { .settings }

    func blindIndex(key: KeyedHash) -> BlindIndex { Self.blindIndex(name: name, key: key) }

    static func blindIndex(name: String, key: KeyedHash) -> BlindIndex {
        BlindIndex(
            scope: BlindIndex.digest(.settings, [], key: key),
            name: BlindIndex.digest(.settingName, [name], key: key))
    }

    func write(to writer: inout BinaryWriter) {
        writer.put(name)
        writer.put(value)
        writer.put(changed)
    }

    init(id: ObjectID, version: UInt64 = 1, name: String, value: SecretBytes, changed: Timestamp) {
        self.id = id
        self.version = version
        self.name = name
        self.value = value
        self.changed = changed
    }

    init(from reader: inout BinaryReader, id: ObjectID, version: UInt64) {
        let name = reader.text()
        let value = reader.secret()
        self.init(id: id, version: version, name: name, value: value, changed: reader.time())
    }
}
