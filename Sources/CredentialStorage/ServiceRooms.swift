// SPDX-License-Identifier: Apache-2.0
package import Credentials

/// How many credentials services have at most, so that they need not be counted for each that is saved.
struct ServiceRooms {
    private struct Known {
        /// How many there were.
        let count: Int
        /// How many had been written to the vault by then.
        let written: Int
    }

    /// For how many services that is kept; past that all are forgotten.
    private static let limit = 256
    private var known: [SealTag: Known] = [:]
    /// How many credentials were written since the unlock.
    var written = 0
    /// How often a service's were counted.
    private(set) var countings = 0

    /// Whether a service has fewer than so many: since they were counted there cannot be more than were written since then.
    mutating func has(
        fewerThan limit: Int, in scope: SealTag, _ count: () throws(VaultError) -> Int
    ) throws(VaultError) -> Bool {
        if let known = known[scope], known.count + written - known.written < limit { return true }
        let now = Known(count: try count(), written: written)
        countings += 1
        if known.count >= Self.limit { known = [:] }
        known[scope] = now
        return now.count < limit
    }
}

extension Vault {
    /// Whether fewer than `limit` are saved for a service first. Opens none, and counts them seldom.
    package func hasFewerCredentials(than limit: Int, for service: Service) throws(VaultError) -> Bool {
        try read { parts, statements throws(VaultError) in
            let scope = Credential.scope(service: service, key: parts.keys.index)
            return try parts.orders.rooms.has(fewerThan: limit, in: scope) { () throws(VaultError) in
                try count(in: scope, statements)
            }
        }
    }
}
