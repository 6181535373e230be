// SPDX-License-Identifier: Apache-2.0
package import Credentials
internal import SecretMemory

extension CredentialService {
    private enum Field: UInt8 {
        case type = 1
        case value, match
    }

    package func write(to writer: inout BinaryWriter) {
        writer.put(field: Field.type, service.kind.rawValue)
        writer.put(field: Field.value, service.value)
        if match != .usual(for: service.kind) { writer.put(field: Field.match, match.rawValue) }
        writer.put(unknown)
    }

    package init(from reader: inout BinaryReader) {
        var (type, value) = ("", "")
        var match: Match?
        let unknown = reader.fields { tag, field in
            switch Field(rawValue: tag) {
            case .type: type = field.wholeText()
            case .value: value = field.wholeText()
            case .match: match = Match(rawValue: field.wholeText())
            case nil: return false
            }
            return true
        }
        self.init(Service(kind: .init(rawValue: type), value: value), match: match, unknown: unknown)
    }
}

extension CustomField {
    private enum Field: UInt8 {
        case name = 1
        case value, secret
    }

    package func write(to writer: inout BinaryWriter) {
        writer.put(field: Field.name, name)
        if value.count > 0 { writer.put(field: Field.value, value) }
        if isSecret { writer.put(field: Field.secret) { _ in } }
        writer.put(unknown)
    }

    package init(from reader: inout BinaryReader) {
        var name = ""
        var value: SecretBytes?
        var isSecret = false
        let unknown = reader.fields { tag, field in
            switch Field(rawValue: tag) {
            case .name: name = field.wholeText()
            case .value: value = field.wholeSecret()
            case .secret: isSecret = true
            case nil: return false
            }
            return true
        }
        self.init(
            name: name, value: value ?? .empty, isSecret: isSecret, unknown: unknown)
    }
}

extension Passkey {
    private enum Field: UInt8 {
        case credentialID = 1
        case relyingParty, user, displayName, userHandle, key
    }

    package func write(to writer: inout BinaryWriter) {
        writer.put(field: Field.credentialID, credentialID)
        writer.put(field: Field.relyingParty, relyingParty)
        writer.put(field: Field.user, user)
        writer.put(field: Field.displayName, displayName)
        writer.put(field: Field.userHandle, userHandle)
        writer.put(field: Field.key, key)
        writer.put(unknown)
    }

    package init(from reader: inout BinaryReader) {
        var texts: [Field: String] = [:]
        var key: SecretBytes?
        let unknown = reader.fields { tag, field in
            switch Field(rawValue: tag) {
            case .key: key = field.wholeSecret()
            case let known?: texts[known] = field.wholeText()
            case nil: return false
            }
            return true
        }
        self.init(
            credentialID: texts[.credentialID] ?? "", relyingParty: texts[.relyingParty] ?? "",
            user: texts[.user] ?? "", displayName: texts[.displayName] ?? "", userHandle: texts[.userHandle] ?? "",
            key: key ?? .empty, unknown: unknown)
    }
}
