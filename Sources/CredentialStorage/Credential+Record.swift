// SPDX-License-Identifier: Apache-2.0
internal import Credentials
internal import SecretMemory

extension Credential: VaultRecord {
    static var kind: ObjectID.Kind { .credential }

    var tally: Tally { deleted == nil ? .credentials : .deletedCredentials }

    func blindIndex(key: KeyedHash) -> BlindIndex {
        guard deleted == nil else { return Self.deletedIndex(of: id, key: key) }
        return Self.blindIndex(service: service, user: user, key: key)
    }

    /// Where it is found while it is deleted.
    static func deletedIndex(of id: ObjectID, key: KeyedHash) -> BlindIndex {
        BlindIndex(
            scope: deletedScope(key: key), name: BlindIndex.digest(.deletedCredential, [id.description], key: key))
    }

    static func blindIndex(service: Service, user: String, key: KeyedHash) -> BlindIndex {
        BlindIndex(scope: scope(service: service, key: key), name: name(service: service, user: user, key: key))
    }

    static func name(service: Service, user: String, key: KeyedHash) -> SealTag {
        BlindIndex.digest(.credentialUser, [service.kind.rawValue, service.value, user], key: key)
    }

    static func scope(service: Service, key: KeyedHash) -> SealTag {
        BlindIndex.digest(.credentialService, [service.kind.rawValue, service.value], key: key)
    }

    static func deletedScope(key: KeyedHash) -> SealTag { BlindIndex.digest(.deletedCredentials, [], key: key) }

    func write(to writer: inout BinaryWriter) {
        writer.put(service)
        writer.put(user)
        writer.put(password)
        writer.put(rules)
        writer.put(oneTimeCode)
        writer.put(notes)
        writer.put(created)
        writer.put(changed)
        writer.put(lastUsed)
        writer.put(deleted)
        writer.put(self.writer)
        writer.put(UInt8(truncatingIfNeeded: previous.count))
        for former in previous {
            writer.put(former.password)
            writer.put(former.replaced)
        }
        // Nothing where there was never a code; the number cannot be taken for padding.
        guard codeWriter != nil || !formerCodes.isEmpty else { return }
        writer.put(codeWriter == nil ? 1 : 2 as UInt8)
        if let codeWriter { writer.put(codeWriter) }
        writer.put(UInt8(truncatingIfNeeded: formerCodes.count))
        for former in formerCodes {
            writer.put(former.uri)
            writer.put(former.replaced)
        }
    }

    init(from reader: inout BinaryReader, id: ObjectID, version: UInt64) {
        let service = reader.service()
        let user = reader.text()
        let password = reader.secret()
        let rules = reader.optionalText()
        let oneTimeCode = reader.optionalSecret()
        let notes = reader.optionalSecret()
        let created = reader.time()
        let changed = reader.time()
        let lastUsed = reader.optionalTime()
        let deleted = reader.optionalTime()
        let writer = reader.subject()
        let count: UInt8 = reader.integer()
        var previous: [Previous] = []
        for _ in 0..<count where reader.isSound {
            let password = reader.secret()
            previous.append(Previous(password: password, replaced: reader.time()))
        }
        var codeWriter: Subject?
        var formerCodes: [FormerCode] = []
        if !reader.isAtEnd {
            switch reader.integer(UInt8.self) {
            case 1: break
            case 2: codeWriter = reader.subject()
            default: reader.fail(())
            }
            let count: UInt8 = reader.integer()
            for _ in 0..<count where reader.isSound {
                let uri = reader.secret()
                formerCodes.append(FormerCode(uri: uri, replaced: reader.time()))
            }
        }
        self.init(
            id: id, version: version, service: service, user: user, password: password, rules: rules,
            oneTimeCode: oneTimeCode, notes: notes, created: created, changed: changed, lastUsed: lastUsed,
            writer: writer, previous: previous, deleted: deleted, codeWriter: codeWriter, formerCodes: formerCodes)
    }
}
