// SPDX-License-Identifier: Apache-2.0
internal import Credentials
internal import VaultFormat

/// The blind indexes of the passwords that were asked for lately, each of which is two keyed hashes.
struct RecentIndexes {
    private struct Key: Hashable {
        let service: Service
        let user: String
    }

    /// How many are kept at least, and half of those that are kept at most.
    private static let limit = 128
    private var young: [Key: [UInt8]] = [:]
    private var old: [Key: [UInt8]] = [:]

    /// Where the password of a user is found. Equal strings are canonically equivalent, and so have one index.
    mutating func index(of user: String, at service: Service, key: KeyedHash) -> [UInt8] {
        let name = Key(service: service, user: user)
        if let index = young[name] { return index }
        let index = old[name] ?? Credential.blindIndex(service: service, user: user, key: key).bytes
        if young.count >= Self.limit { (young, old) = ([:], young) }
        young[name] = index
        return index
    }
}
