// SPDX-License-Identifier: Apache-2.0
internal import Credentials
internal import SecretMemory
internal import SyncMerge
internal import VaultFormat

/// What a credential has besides services, user, password and code, as fields by name. A value is 01 and the content; an empty one
/// states that the field was removed.
struct SyncedFields {
    private(set) var values: [String: SyncSecret] = [:]
    /// The names of what is listed, in the credential's order; sites by their text.
    private var order: [String] = []

    init(_ credential: Credential) {
        let details = credential.details
        if credential.kind != .password { put("kind", credential.kind.rawValue) }
        if !details.label.isEmpty { put("label", details.label) }
        if !details.collection.isEmpty { put("collection", details.collection) }
        if let notes = details.notes { put("notes") { $0.put(notes) } }
        if let rules = credential.rules { put("rules", rules) }
        put("created") { $0.put(credential.created) }
        for service in credential.services {
            let site = SyncedService.site(of: service.service, in: credential)
            order.append(site)
            guard service.match != .usual(for: service.service.kind) || !service.unknown.isEmpty else { continue }
            put("service/" + site) { service.write(to: &$0) }
        }
        for tag in details.tags { list("tag/" + tag) { $0.append(contentsOf: tag) } }
        for field in details.fields { list("custom/" + field.name) { field.write(to: &$0) } }
        for passkey in credential.passkeys { list("passkey/" + passkey.credentialID) { passkey.write(to: &$0) } }
        for field in credential.unknown {
            list("unknown/\(field.tag)") { writer in field.content.withUnsafeBytes { writer.append($0) } }
        }
        guard order != order.sorted(by: Self.precedes) else { return }
        let order = order
        put("order") { writer in
            for name in order { writer.put(name) }
        }
    }

    private mutating func put(_ name: String, _ text: String) { put(name) { $0.append(contentsOf: text) } }

    private mutating func put(_ name: String, _ write: (inout BinaryWriter) -> Void) {
        values[name] = SyncSecret(
            BinaryWriter.encode { writer in
                writer.put(1 as UInt8)
                write(&writer)
            })
    }

    /// One of several; where two have one name, the later ones get a number.
    private mutating func list(_ name: String, _ write: (inout BinaryWriter) -> Void) {
        var (own, number) = (name, 1)
        while values[own] != nil {
            number += 1
            own = name + "\0\(number)"
        }
        order.append(own)
        put(own, write)
    }

    /// Bytewise: equal on each machine, whatever version of Unicode it has.
    static func precedes(_ left: String, _ right: String) -> Bool {
        left.utf8.lexicographicallyPrecedes(right.utf8)
    }
}
