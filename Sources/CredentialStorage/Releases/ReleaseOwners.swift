// SPDX-License-Identifier: Apache-2.0
internal import Credentials

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
}

/// The quota key of the app that was asked for last: mostly it is asked for again.
struct QuotaKeyCache {
    private var last: (app: String, assurance: String, key: SealTag)?

    subscript(_ app: String, _ assurance: String) -> SealTag {
        mutating get {
            if let last, last.app == app, last.assurance == assurance { return last.key }
            let key = ReleaseQuotas.key(app: app, assurance: assurance)
            last = (app, assurance, key)
            return key
        }
    }
}
