// SPDX-License-Identifier: Apache-2.0
import Credentials

@testable import CredentialStorage
@testable import VaultFormat

extension VaultRecord {
    /// Id, version and every field.
    var described: [String: Any] {
        let fields: [String: Any] =
            switch self {
            case let record as Credential: record.fields
            case let record as Offer: record.fields
            case let record as Item: record.fields
            case let record as Grant: record.fields
            case let record as Verifier: record.fields
            case let record as StoredSetting: record.fields
            case let record as StoredSyncEntry: record.fields
            default: [:]
            }
        return fields.merging(["id": Described.of(id), "version": Described.of(version)]) { $1 }
    }
}

extension Credential {
    fileprivate var fields: [String: Any] {
        var fields: [String: Any] = [
            "service": Described.of(service), "user": user, "password": Described.of(password),
            "rules": Described.of(rules),
            "oneTimeCode": Described.of(oneTimeCode), "notes": Described.of(details.notes),
            "created": Described.of(created),
            "changed": Described.of(changed), "lastUsed": Described.of(lastUsed), "deleted": Described.of(deleted),
            "writer": Described.of(writer), "codeWriter": Described.of(codeWriter),
            "previous": previous.map { [Described.of($0.password), Described.of($0.replaced)] },
            "formerCodes": formerCodes.map { [Described.of($0.uri), Described.of($0.replaced)] },
        ]
        // What the first format has not, where there is any.
        if kind != .password { fields["kind"] = kind.rawValue }
        let isPlain = services.count == 1 && services[0] == CredentialService(service)
        if !isPlain { fields["services"] = services.map(\.described) }
        if !details.label.isEmpty { fields["label"] = details.label }
        if !details.tags.isEmpty { fields["tags"] = details.tags }
        if !details.fields.isEmpty { fields["custom"] = details.fields.map(\.described) }
        if !details.collection.isEmpty { fields["collection"] = details.collection }
        if details.writer != nil { fields["detailsWriter"] = Described.of(details.writer) }
        if !passkeys.isEmpty { fields["passkeys"] = passkeys.map(\.described) }
        if !unknown.isEmpty { fields["unknown"] = unknown.map(\.described) }
        return fields
    }
}

extension CredentialService {
    fileprivate var described: [Any] {
        [service.kind.rawValue, service.value, match.rawValue, unknown.map(\.described)]
    }
}

extension CustomField {
    fileprivate var described: [Any] { [name, Described.of(value), isSecret, unknown.map(\.described)] }
}

extension Passkey {
    fileprivate var described: [Any] {
        [credentialID, relyingParty, user, displayName, userHandle, Described.of(key), unknown.map(\.described)]
    }
}

extension UnknownField {
    fileprivate var described: [Any] { [Int(tag), Described.of(content)] }
}

extension Offer {
    fileprivate var fields: [String: Any] {
        let (word, credential): (String, ObjectID?) =
            switch state {
            case .pending: ("pending", nil)
            case .accepted(let credential): ("accepted", credential)
            case .declined: ("declined", nil)
            case .expired: ("expired", nil)
            }
        return [
            "subject": Described.of(subject), "service": Described.of(service), "form": Described.of(form),
            "password": Described.of(password), "rules": rules, "created": Described.of(created),
            "expires": Described.of(expires),
            "settled": Described.of(settled), "state": word, "credential": Described.of(credential),
        ]
    }
}

extension Item {
    /// What it does not have is left out, so that one of the first format is described as it was then.
    fileprivate var fields: [String: Any] {
        var fields: [String: Any] = [
            "accessGroup": accessGroup, "data": Described.of(data), "created": Described.of(created),
            "changed": Described.of(changed),
            "writer": Described.of(writer),
        ]
        if let place { fields.merge(["service": place.service, "account": place.account]) { $1 } }
        if !attributes.isEmpty { fields["attributes"] = attributes.map { [$0.name, $0.value] } }
        for (name, text) in [("label", label), ("contentType", contentType), ("collection", collection)] {
            if let text { fields[name] = text }
        }
        return fields
    }
}

extension Grant {
    fileprivate var fields: [String: Any] {
        [
            "subject": Described.of(subject), "service": Described.of(service), "allowed": decision == .allow,
            "created": Described.of(created), "origin": origin,
        ]
    }
}

extension Verifier {
    fileprivate var fields: [String: Any] {
        [
            "accessGroup": accessGroup, "service": service, "account": account, "hash": Described.of(hash),
            "failures": Int(failures), "notBefore": Described.of(notBefore), "created": Described.of(created),
            "changed": Described.of(changed), "writer": Described.of(writer),
        ]
    }
}

extension StoredSetting {
    fileprivate var fields: [String: Any] {
        ["name": name, "value": Described.of(value), "changed": Described.of(changed)]
    }
}

extension StoredSyncEntry {
    fileprivate var fields: [String: Any] {
        [
            "form": Int(form.rawValue), "logins": logins.map { [$0.site, $0.user] }, "shown": Described.of(shown),
            "sequence": Described.of(sequence), "greatestVersion": Described.of(greatestVersion),
            "writers": writers.sorted { $0.key < $1.key }.map { [String($0.key), Described.of($0.value)] as [Any] },
            "content": Described.of(content), "changed": Described.of(changed),
        ]
    }
}
