// SPDX-License-Identifier: Apache-2.0
package import Credentials
internal import SecretMemory

extension Credential: VaultRecord {
    package static var idKind: ObjectID.Kind { .credential }

    package var tally: Tally { deleted == nil ? .credentials : .deletedCredentials }

    /// The fields of the present format; the numbers are a part of it, and never reused.
    private enum Field: UInt8 {
        case service = 1
        case kind, user, password, label, notes, tag, custom, collection, detailsWriter, rules, code, codeWriter
        case created, changed, lastUsed, deleted, writer, previous, formerCode
        case passkey

        /// Which it is among those that were read.
        var bit: UInt32 { 1 << UInt32(rawValue) }
    }

    package func write(to writer: inout BinaryWriter) {
        guard writer.format > .first else { return write(toFirstFormat: &writer) }
        for service in services { writer.put(field: Field.service) { service.write(to: &$0) } }
        if kind != .password { writer.put(field: Field.kind, kind.rawValue) }
        writer.put(field: Field.user, user)
        if password.count > 0 { writer.put(field: Field.password, password) }
        writer.put(field: Field.label, details.label)
        writer.put(field: Field.notes, details.notes)
        for tag in details.tags { writer.put(field: Field.tag, tag) }
        for field in details.fields { writer.put(field: Field.custom) { field.write(to: &$0) } }
        writer.put(field: Field.collection, details.collection)
        writer.put(field: Field.detailsWriter, details.writer)
        if let rules { writer.put(field: Field.rules) { $0.append(contentsOf: rules) } }
        writer.put(field: Field.code, oneTimeCode)
        writer.put(field: Field.codeWriter, codeWriter)
        writer.put(field: Field.created, created)
        writer.put(field: Field.changed, changed)
        writer.put(field: Field.lastUsed, lastUsed)
        writer.put(field: Field.deleted, deleted)
        writer.put(field: Field.writer, self.writer)
        for former in previous { writer.put(field: Field.previous) { $0.put(former.replaced, former.password) } }
        for former in formerCodes { writer.put(field: Field.formerCode) { $0.put(former.replaced, former.uri) } }
        for passkey in passkeys { writer.put(field: Field.passkey) { passkey.write(to: &$0) } }
        writer.put(unknown)
        // So that a cut record is not read as a complete one.
        writer.put(0 as UInt8)
    }

    package init(from reader: inout BinaryReader, id: ObjectID, version: UInt64) {
        guard reader.format > .first else {
            self.init(fromFirstFormat: &reader, id: id, version: version)
            return
        }
        let never = Timestamp(milliseconds: 0)
        self.init(
            id: id, version: version, services: [], user: "", password: .empty, created: never, changed: never,
            writer: Subject(app: "", assurance: "", executable: ""))
        var seen: UInt32 = 0
        unknown = reader.fields { tag, field in
            guard let tag = Field(rawValue: tag) else { return false }
            seen |= tag.bit
            read(tag, from: &field)
            return true
        }
        let required = Field.service.bit | Field.created.bit | Field.changed.bit | Field.writer.bit
        if reader.next != 0 || seen & required != required { reader.fail(()) }
        // A credential has one, be it of a record that is refused.
        if services.isEmpty { services = [CredentialService(Service(kind: .domain, value: ""))] }
    }

    private mutating func read(_ field: Field, from reader: inout BinaryReader) {
        switch field {
        case .service: services.append(CredentialService(from: &reader))
        case .kind: kind = Kind(rawValue: reader.wholeText())
        case .user: user = reader.wholeText()
        case .password: password = reader.wholeSecret()
        case .label: details.label = reader.wholeText()
        case .notes: details.notes = reader.wholeSecret()
        case .tag: details.tags.append(reader.wholeText())
        case .custom: details.fields.append(CustomField(from: &reader))
        case .collection: details.collection = reader.wholeText()
        case .detailsWriter: details.writer = reader.subject()
        case .rules: rules = reader.wholeText()
        case .code: oneTimeCode = reader.wholeSecret()
        case .codeWriter: codeWriter = reader.subject()
        case .created: created = reader.time()
        case .changed: changed = reader.time()
        case .lastUsed: lastUsed = reader.time()
        case .deleted: deleted = reader.time()
        case .writer: writer = reader.subject()
        case .previous:
            let replaced = reader.time()
            previous.append(Previous(password: reader.wholeSecret(), replaced: replaced))
        case .formerCode:
            let replaced = reader.time()
            formerCodes.append(FormerCode(uri: reader.wholeSecret(), replaced: replaced))
        case .passkey: passkeys.append(Passkey(from: &reader))
        }
    }
}

extension BinaryWriter {
    fileprivate mutating func put(_ replaced: Timestamp, _ former: SecretBytes) {
        put(replaced)
        former.withUnsafeBytes { append($0) }
    }
}
