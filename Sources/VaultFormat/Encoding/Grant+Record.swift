// SPDX-License-Identifier: Apache-2.0
package import Credentials
internal import SecretMemory

extension Grant: VaultRecord {
    package static var idKind: ObjectID.Kind { .grant }

    package var changed: Timestamp { created }
    package var tally: Tally { .grants }

    package func blindIndex(key: KeyedHash) -> BlindIndex {
        Self.blindIndex(subject: subject, service: service, key: key)
    }

    package static func blindIndex(subject: Subject, service: Service, key: KeyedHash) -> BlindIndex {
        BlindIndex(
            scope: .grants, [subject.app, service.kind.rawValue, service.value],
            name: .grantSubject, [subject.assurance, subject.executable], key: key)
    }

    package static func scope(app: String, service: Service, key: KeyedHash) -> SealTag {
        BlindIndex.digest(.grants, [app, service.kind.rawValue, service.value], key: key)
    }

    package func write(to writer: inout BinaryWriter) {
        writer.put(subject)
        writer.put(service)
        writer.put(decision == .allow)
        writer.put(created)
        writer.put(origin)
    }

    package init(from reader: inout BinaryReader, id: ObjectID, version: UInt64) {
        let subject = reader.subject()
        let service = reader.service()
        let isAllowed = reader.flag()
        let created = reader.time()
        self.init(
            id: id, version: version, subject: subject, service: service, decision: isAllowed ? .allow : .deny,
            created: created, origin: reader.text())
    }
}
