// SPDX-License-Identifier: Apache-2.0
internal import Credentials
internal import SecretMemory

extension Item: VaultRecord {
    static var kind: ObjectID.Kind { .item }

    var tally: Tally { .items }

    func blindIndex(key: KeyedHash) -> BlindIndex {
        Self.blindIndex(accessGroup: accessGroup, service: service, account: account, key: key)
    }

    static func blindIndex(accessGroup: String, service: String, account: String, key: KeyedHash) -> BlindIndex {
        BlindIndex(scope: .items, [accessGroup, service], name: .itemAccount, [account], key: key)
    }

    static func scope(accessGroup: String, service: String, key: KeyedHash) -> SealTag {
        BlindIndex.digest(.items, [accessGroup, service], key: key)
    }

    func write(to writer: inout BinaryWriter) {
        writer.put(accessGroup)
        writer.put(service)
        writer.put(account)
        writer.put(data)
        writer.put(created)
        writer.put(changed)
        if let subject = self.writer { writer.put(subject) }
    }

    init(from reader: inout BinaryReader, id: ObjectID, version: UInt64) {
        let accessGroup = reader.text()
        let service = reader.text()
        let account = reader.text()
        let data = reader.secret()
        let created = reader.time()
        let changed = reader.time()
        self.init(
            id: id, version: version, accessGroup: accessGroup, service: service, account: account, data: data,
            created: created, changed: changed, writer: reader.isAtEnd ? nil : reader.subject())
    }
}
