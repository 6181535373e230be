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
        [
            "service": Told.of(service), "user": user, "password": Told.of(password), "rules": Told.of(rules),
            "oneTimeCode": Told.of(oneTimeCode), "notes": Told.of(notes), "created": Told.of(created),
            "changed": Told.of(changed), "lastUsed": Told.of(lastUsed), "deleted": Told.of(deleted),
            "writer": Told.of(writer), "codeWriter": Told.of(codeWriter),
            "previous": previous.map { [Told.of($0.password), Told.of($0.replaced)] },
            "formerCodes": formerCodes.map { [Told.of($0.uri), Told.of($0.replaced)] },
        ]
    }
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
    fileprivate var fields: [String: Any] {
        [
            "accessGroup": accessGroup, "service": service, "account": account, "data": Told.of(data),
            "created": Told.of(created), "changed": Told.of(changed), "writer": Told.of(writer),
        ]
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
