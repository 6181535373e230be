// SPDX-License-Identifier: Apache-2.0
internal import VaultFormat

/// What may be set about how much the vault keeps.
package struct VaultLimits: Hashable, Sendable {
    /// How long what was deleted, declined or never accepted can be restored, in milliseconds.
    package var recoverableMilliseconds: Int64 = 30 * 86_400_000
    /// How many offers that were accepted, declined or never accepted are kept; where there are a tenth more, the app with
    /// the most loses its oldest.
    package var settledOffers = 4000
    /// How large the release log may grow, in bytes; above it the app with the most of it loses its oldest entries.
    package var releaseBytes = 32 << 20
    /// How long an entry of the release log is kept, in milliseconds.
    package var releaseMilliseconds: Int64 = 366 * 86_400_000
    /// How long the plain text of one object may be, in bytes. Of one that a merge has made longer, it is what a save may add.
    package var recordBytes = 4 << 20
    /// How long that of what sync stores or merges, and of what is kept of an import, may be.
    static let syncEntryBytes = StoredSyncEntry.mostBytes

    /// How many bytes of records are opened for one page of a list, and in one turn of the event loop for a request that reads
    /// many, at most: some 3 ms. The rest is on another page, or in another turn.
    package var turnBytes = 768 << 10
    /// What each record counts for besides its bytes: the cost of finding and parsing it.
    package static let recordCost = 1024

    /// Up to how many records all are compared with the manifest at the unlock (20,000 take 50 ms); above it each bucket is,
    /// when the first of its records is read.
    package var comparedAtUnlock = 20_000

    /// How many passes over 128 MiB a passphrase needs. Each takes some half a second: a file that states more is
    /// refused.
    package static let passphrasePasses = 1...8
    /// How many such passes the passphrases of a vault take together, and an attempt that is to try all of them.
    package static let passesAtOnce = 32

    package init() {}
}
