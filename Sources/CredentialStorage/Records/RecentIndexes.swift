// SPDX-License-Identifier: Apache-2.0
internal import Credentials
internal import VaultFormat

/// Where the passwords are that were asked for lately.
struct RecentIndexes {
    struct Location {
        /// Two keyed hashes.
        let index: BlindIndex
        /// The number of the row that had this index when it was read last. Since then the row may have got another index, or its
        /// number may have become another row's.
        var number: Int64?
    }

    private struct Name: Hashable {
        let service: Service
        let user: String
    }

    /// How many are kept at least, and half of those that are kept at most.
    private static let limit = 128
    private var young: [Name: Location] = [:]
    private var old: [Name: Location] = [:]
    /// The one that was asked for last: mostly it is asked for again.
    private var last: (name: Name, location: Location)?

    /// Where the password of a user is found. Equal strings are canonically equivalent, and so have one index.
    mutating func location(of user: String, at service: Service, key: KeyedHash) -> Location {
        let name = Name(service: service, user: user)
        if let last, last.name == name { return last.location }
        let recent = young[name]
        let location =
            recent ?? old[name] ?? Location(index: Credential.blindIndex(service: service, user: user, key: key))
        if recent == nil {
            if young.count >= Self.limit { (young, old) = ([:], young) }
            young[name] = location
        }
        last = (name, location)
        return location
    }

    /// Records the number of the row with the index that was asked for last.
    mutating func note(_ number: Int64) {
        guard let name = last?.name else { return }
        last?.location.number = number
        young[name]?.number = number
    }
}
