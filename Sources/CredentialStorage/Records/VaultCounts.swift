// SPDX-License-Identifier: Apache-2.0
internal import VaultFormat

/// How much is in the vault.
package struct VaultCounts: Hashable, Sendable {
    package var credentials = 0
    /// Deleted, but recoverable.
    package var deletedCredentials = 0
    package var pendingOffers = 0
    /// Accepted, declined or expired, but still findable.
    package var settledOffers = 0
    package var items = 0
    package var verifiers = 0
    package var grants = 0
    package var settings = 0
    /// Entries of the release log that have not been dropped by size or age.
    package var releases = 0

    package init() {}

    init(tallies: [UInt64], releases: Int) {
        func count(_ tally: Tally) -> Int { Int(clamping: tallies[tally.rawValue]) }
        credentials = count(.credentials)
        deletedCredentials = count(.deletedCredentials)
        pendingOffers = count(.pendingOffers)
        settledOffers = count(.settledOffers)
        items = count(.items)
        verifiers = count(.verifiers)
        grants = count(.grants)
        settings = count(.settings)
        self.releases = releases
    }
}
