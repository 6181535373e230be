// SPDX-License-Identifier: Apache-2.0
package import Credentials
internal import SecretMemory

/// The first format has fields in a fixed order, one service, and no details but notes. It is written when the time of last use
/// is noted in a vault that was not migrated yet.
extension Credential {
    package func write(toFirstFormat writer: inout BinaryWriter) {
        writer.put(service)
        writer.put(user)
        writer.put(password)
        writer.put(rules)
        writer.put(oneTimeCode)
        writer.put(details.notes)
        writer.put(created)
        writer.put(changed)
        writer.put(lastUsed)
        writer.put(deleted)
        writer.put(self.writer)
        writer.put(previous.map { ($0.password, $0.replaced) })
        // Nothing where there was never a code; the number cannot be read as padding.
        guard codeWriter != nil || !formerCodes.isEmpty else { return }
        writer.put(codeWriter == nil ? 1 : 2 as UInt8)
        if let codeWriter { writer.put(codeWriter) }
        writer.put(formerCodes.map { ($0.uri, $0.replaced) })
    }

    init(fromFirstFormat reader: inout BinaryReader, id: ObjectID, version: UInt64) {
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
        let previous = reader.former().map { Previous(password: $0, replaced: $1) }
        var codeWriter: Subject?
        var formerCodes: [FormerCode] = []
        if !reader.isAtEnd {
            switch reader.integer(UInt8.self) {
            case 1: break
            case 2: codeWriter = reader.subject()
            default: reader.fail(())
            }
            formerCodes = reader.former().map { FormerCode(uri: $0, replaced: $1) }
        }
        self.init(
            id: id, version: version, services: [CredentialService(service)], user: user, password: password,
            rules: rules, oneTimeCode: oneTimeCode, details: CredentialDetails(notes: notes), created: created,
            changed: changed, lastUsed: lastUsed, writer: writer, previous: previous, deleted: deleted,
            codeWriter: codeWriter, formerCodes: formerCodes)
    }
}

extension BinaryReader {
    fileprivate mutating func former() -> [(SecretBytes, Timestamp)] {
        let count: UInt8 = integer()
        var found: [(SecretBytes, Timestamp)] = []
        for _ in 0..<count where isIntact {
            let secret = secret()
            found.append((secret, time()))
        }
        return found
    }
}

extension BinaryWriter {
    fileprivate mutating func put(_ former: [(SecretBytes, Timestamp)]) {
        put(UInt8(truncatingIfNeeded: former.count))
        for (secret, replaced) in former {
            put(secret)
            put(replaced)
        }
    }
}
