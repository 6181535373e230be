// SPDX-License-Identifier: Apache-2.0
internal import Credentials

/// What a credential is found by.
extension Credential {
    /// A service has one password of each user; of another kind it may have any number.
    func blindIndex(key: KeyedHash) -> BlindIndex {
        guard deleted == nil else { return Self.deletedIndex(of: id, key: key) }
        guard kind != .password else { return Self.blindIndex(service: service, user: user, key: key) }
        return BlindIndex(
            scope: Self.scope(service: service, key: key),
            name: BlindIndex.digest(.credentialOfOtherKind, [id.description], key: key))
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
}
