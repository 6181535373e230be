// SPDX-License-Identifier: Apache-2.0
import Credentials

@testable import CredentialStorage

extension VaultRecord {
    /// Id, version and every field.
    var told: [String: Any] {
        let fields: [String: Any] =
            switch self {
            case let record as Credential: record.fields
            case let record as Offer: record.fields
            case let record as Item: record.fields
            case let record as Grant: record.fields
            case let record as Verifier: record.fields
            case let record as StoredSetting: record.fields
            default: [:]
            }
        return fields.merging(["id": Told.of(id), "version": Told.of(version)]) { $1 }
    }
}

extension Credential {
    fileprivate var fields: [String: Any] {
        var fields: [String: Any] = [
            "service": Told.of(service), "user": user, "password": Told.of(password), "rules": Told.of(rules),
            "oneTimeCode": Told.of(oneTimeCode), "notes": Told.of(details.notes), "created": Told.of(created),
            "changed": Told.of(changed), "lastUsed": Told.of(lastUsed), "deleted": Told.of(deleted),
            "writer": Told.of(writer), "codeWriter": Told.of(codeWriter),
            "previous": previous.map { [Told.of($0.password), Told.of($0.replaced)] },
            "formerCodes": formerCodes.map { [Told.of($0.uri), Told.of($0.replaced)] },
        ]
        // What the first format has not, where there is any.
        if kind != .password { fields["kind"] = kind.rawValue }
        let isPlain = services.count == 1 && services[0] == CredentialService(service)
        if !isPlain { fields["services"] = services.map(\.told) }
        if !details.label.isEmpty { fields["label"] = details.label }
        if !details.tags.isEmpty { fields["tags"] = details.tags }
        if !details.fields.isEmpty { fields["custom"] = details.fields.map(\.told) }
        if !details.collection.isEmpty { fields["collection"] = details.collection }
        if details.writer != nil { fields["detailsWriter"] = Told.of(details.writer) }
        if !unknown.isEmpty { fields["unknown"] = unknown.map(\.told) }
        return fields
    }
}

extension CredentialService {
    fileprivate var told: [Any] { [service.kind.rawValue, service.value, match.rawValue, unknown.map(\.told)] }
}

extension CustomField {
    fileprivate var told: [Any] { [name, Told.of(value), isSecret, unknown.map(\.told)] }
}

extension UnknownField {
    fileprivate var told: [Any] { [Int(tag), Told.of(content)] }
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
            "subject": Told.of(subject), "service": Told.of(service), "form": Told.of(form),
            "password": Told.of(password), "rules": rules, "created": Told.of(created), "expires": Told.of(expires),
            "settled": Told.of(settled), "state": word, "credential": Told.of(credential),
        ]
    }
}

extension Item {
    /// What it does not have is left out, so that one of the first format tells what it told then.
    fileprivate var fields: [String: Any] {
        var fields: [String: Any] = [
            "accessGroup": accessGroup, "data": Told.of(data), "created": Told.of(created), "changed": Told.of(changed),
            "writer": Told.of(writer),
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
            "subject": Told.of(subject), "service": Told.of(service), "allowed": decision == .allow,
            "created": Told.of(created), "origin": origin,
        ]
    }
}

extension Verifier {
    fileprivate var fields: [String: Any] {
        [
            "accessGroup": accessGroup, "service": service, "account": account, "hash": Told.of(hash),
            "failures": Int(failures), "notBefore": Told.of(notBefore), "created": Told.of(created),
            "changed": Told.of(changed), "writer": Told.of(writer),
        ]
    }
}

extension StoredSetting {
    fileprivate var fields: [String: Any] {
        ["name": name, "value": Told.of(value), "changed": Told.of(changed)]
    }
}
