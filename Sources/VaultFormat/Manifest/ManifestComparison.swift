// SPDX-License-Identifier: Apache-2.0
package import Credentials

/// Compares rows with the entries of some buckets.
package struct ManifestComparison {
    private var faults: [VaultFinding] = []
    private var outstanding: [ObjectID: ManifestEntry] = [:]
    private var unreadable: Set<Int> = []
    /// The digests of the rows that records are looked up by, where they have any.
    private var lookups: [ObjectID: SealTag] = [:]
    /// The root is lost: the buckets may be older than the rows, too.
    private let isUnpinned: Bool

    package init(isUnpinned: Bool = false) { self.isUnpinned = isUnpinned }

    package mutating func expect(_ bucket: ManifestBucket?) {
        for entry in bucket?.entries ?? [] {
            if outstanding.updateValue(entry, forKey: entry.id) != nil { faults.append(.duplicate(entry.id)) }
            if entry.lookups != .none { lookups[entry.id] = entry.lookups }
        }
    }

    /// The rows of a bucket cannot be compared that cannot be read, or of which nothing states whether it exists.
    package mutating func unreadable(_ bucket: Int, _ error: VaultError? = nil) {
        unreadable.insert(bucket)
        guard let error else { return }
        let finding = VaultFinding(error)
        if !faults.contains(finding) { faults.append(finding) }
    }

    /// A row of id, version and tag.
    package mutating func meet(_ row: borrowing SQLStatement.Row) {
        meet(ObjectID(stored: row.bytes(0)), version: UInt64(bitPattern: row.integer(1)), tag: SealTag(row.bytes(2)))
    }

    /// A row; `id` is nil where it has no sound one, `sealing` where it was not opened.
    package mutating func meet(_ id: ObjectID?, version: UInt64, sealing: UInt64? = nil, tag: SealTag) {
        guard let id else { return faults.append(VaultFinding(.unnamedRecord)) }
        guard let entry = outstanding.removeValue(forKey: id) else {
            faults.append(unreadable.contains(ManifestBucket.index(of: id)) ? .unpinned(id) : .unexpected(id))
            return
        }
        // Of two sealings of one version the number shows which is the older.
        let order = sealing.map { $0 == entry.sealing ? 0 : $0 < entry.sealing ? -1 : 1 } ?? 0
        if entry.version > version || entry.version == version && order < 0 {
            faults.append(.older(id, found: version, expected: entry.version))
        } else if entry.version == version && order == 0 ? entry.tag != tag : !isUnpinned {
            faults.append(.altered(id))
        } else if isUnpinned {
            faults.append(.unpinned(id))
        }
    }

    /// All rows that one record is looked up by.
    package mutating func meet(_ rows: LookupRows) {
        guard lookups.removeValue(forKey: rows.id) != rows.digest, !isUnpinned,
            !unreadable.contains(ManifestBucket.index(of: rows.id))
        else { return }
        faults.append(.damaged("look-up of \(rows.id)"))
    }

    /// A row that a record is looked up by, without a valid id.
    mutating func meetUnnamedLookup() { faults.append(.damaged("look-up of no record")) }

    /// The rows could not be read to the end: what was not met may be there.
    package mutating func breakOff(_ error: VaultError) {
        faults.append(VaultFinding(error))
        outstanding = [:]
        lookups = [:]
    }

    /// What did not fit, and what was expected but not met.
    package var findings: [VaultFinding] {
        let missing = outstanding.values.sorted { $0.id < $1.id }
        let unfound = isUnpinned ? [] : lookups.keys.sorted()
        return faults + missing.map { VaultFinding.missing($0.id, changed: $0.changed) }
            + unfound.map { VaultFinding.damaged("look-up of \($0)") }
    }
}
