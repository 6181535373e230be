// SPDX-License-Identifier: Apache-2.0
package import Credentials

/// What one transaction changes in the manifest; collected while it runs and written before it commits.
package struct VaultChanges {
    /// The new entry of each record that was written; nil for one that was removed.
    package var entries: [ObjectID: ManifestEntry?] = [:]
    /// How the counts change; the index is `Tally`'s number.
    package var tallies = [Int](repeating: 0, count: Tally.allCases.count)
    /// All slots, where they changed.
    package var slots: [SlotRow]?
    /// The chain of releases, where it grew or was cut.
    package var releases: ReleaseHead?
    /// The credentials that were written, in that order: when it is committed their positions are recorded.
    package var credentials: [Credential] = []
    /// How many credentials were written besides these, in bulk: their positions are read again.
    package var bulkCredentials = 0
    /// Whether the root is to state that `vault.releases` has a mark of it.
    package var marks = false

    package init() {}

    var isEmpty: Bool { entries.isEmpty && slots == nil && releases == nil && !marks }
}
