// SPDX-License-Identifier: Apache-2.0
internal import Credentials
internal import VaultFormat

/// Upper bounds of how many credentials services have, so that they need not be counted for each that is saved.
struct CredentialCounts {
    private struct Count {
        /// How many there were.
        let count: Int
        /// How many had been written to the vault until then.
        let written: Int
    }

    /// For how many services that is kept; above it all are dropped.
    private static let limit = 256
    private var counts: [SealTag: Count] = [:]
    /// How many credentials were written since the unlock.
    var written = 0
    /// How often a service's were counted.
    private(set) var countings = 0

    /// Whether a service has fewer than so many: since they were counted there cannot be more than were written since then.
    mutating func has(
        fewerThan limit: Int, in scope: SealTag, _ count: () throws(VaultError) -> Int
    ) throws(VaultError) -> Bool {
        if let last = counts[scope], last.count + written - last.written < limit { return true }
        let now = Count(count: try count(), written: written)
        countings += 1
        if counts.count >= Self.limit { counts = [:] }
        counts[scope] = now
        return now.count < limit
    }
}
