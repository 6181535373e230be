// SPDX-License-Identifier: Apache-2.0
package import Credentials
internal import SecretMemory

extension Verifier: VaultRecord {
    package static var idKind: ObjectID.Kind { .verifier }

    package var tally: Tally { .verifiers }

    package func blindIndex(key: KeyedHash) -> BlindIndex {
        Self.blindIndex(accessGroup: accessGroup, service: service, account: account, key: key)
    }

    package static func blindIndex(accessGroup: String, service: String, account: String, key: KeyedHash) -> BlindIndex
    {
        BlindIndex(scope: .verifiers, [accessGroup, service], name: .verifierName, [account], key: key)
    }

    package static func scope(accessGroup: String, service: String, key: KeyedHash) -> SealTag {
        BlindIndex.digest(.verifiers, [accessGroup, service], key: key)
    }

    package func write(to writer: inout BinaryWriter) {
        writer.put(accessGroup)
        writer.put(service)
        writer.put(account)
        writer.put(hash)
        writer.put(failures)
        writer.put(notBefore)
        writer.put(created)
        writer.put(changed)
        if let subject = self.writer { writer.put(subject) }
    }

    package init(from reader: inout BinaryReader, id: ObjectID, version: UInt64) {
        let accessGroup = reader.text()
        let service = reader.text()
        let account = reader.text()
        let hash = reader.secret()
        let failures: UInt32 = reader.integer()
        let notBefore = reader.optionalTime()
        let created = reader.time()
        let changed = reader.time()
        self.init(
            id: id, version: version, accessGroup: accessGroup, service: service, account: account, hash: hash,
            failures: failures, notBefore: notBefore, created: created, changed: changed,
            writer: reader.isAtEnd ? nil : reader.subject())
    }
}
