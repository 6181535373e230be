// SPDX-License-Identifier: Apache-2.0
internal import Credentials
internal import SecretMemory

extension Grant: VaultRecord {
    static var idKind: ObjectID.Kind { .grant }

    var changed: Timestamp { created }
    var tally: Tally { .grants }

    func blindIndex(key: KeyedHash) -> BlindIndex { Self.blindIndex(subject: subject, service: service, key: key) }

    static func blindIndex(subject: Subject, service: Service, key: KeyedHash) -> BlindIndex {
        BlindIndex(
            scope: .grants, [subject.app, service.kind.rawValue, service.value],
            name: .grantSubject, [subject.assurance, subject.executable], key: key)
    }

    static func scope(app: String, service: Service, key: KeyedHash) -> SealTag {
        BlindIndex.digest(.grants, [app, service.kind.rawValue, service.value], key: key)
    }

    func write(to writer: inout BinaryWriter) {
        writer.put(subject)
        writer.put(service)
        writer.put(decision == .allow)
        writer.put(created)
        writer.put(origin)
    }

    init(from reader: inout BinaryReader, id: ObjectID, version: UInt64) {
        let subject = reader.subject()
        let service = reader.service()
        let isAllowed = reader.flag()
        let created = reader.time()
        self.init(
            id: id, version: version, subject: subject, service: service, decision: isAllowed ? .allow : .deny,
            created: created, origin: reader.text())
    }
}
