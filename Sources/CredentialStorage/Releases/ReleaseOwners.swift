// SPDX-License-Identifier: Apache-2.0
internal import Credentials
internal import VaultFormat

/// The quota keys of the entries that were appended since the unlock: of those not in the database yet, and of some rows.
struct ReleaseOwners {
    /// Of the entries that are not in the database yet, in their order.
    private(set) var keys: [SealTag] = []
    /// Of rows in the database.
    private(set) var ofRows = ReleaseRowOwners()
    private var latest = QuotaKeyCache()

    mutating func append(_ release: Release) { keys.append(latest[release.app, release.assurance]) }

    /// Keeps the first ones.
    mutating func cut(to count: Int) { keys.removeSubrange(count...) }

    /// The entries are a row of the database now.
    mutating func store(as first: UInt64) {
        ofRows.note(keys, of: first)
        keys.removeAll(keepingCapacity: true)
    }

    mutating func forget(row first: UInt64) { ofRows.forget(first) }

    mutating func forgetRows() { ofRows = ReleaseRowOwners() }
}
