// SPDX-License-Identifier: Apache-2.0
internal import Credentials
internal import VaultFormat

/// Which records were compared with the manifest since the vault was unlocked.
struct ComparedBuckets {
    /// For each bucket whether all records in it match. An array, as every read asks.
    private var buckets = [Bool](repeating: false, count: ManifestBucket.count)
    /// The records that do not match, of the buckets that have any.
    private var faults: [Int: Set<ObjectID>] = [:]
    /// What was found since the last call of `takeFindings`.
    private var found: [VaultFinding] = []
    var isAll = false

    /// Whether all records of this one's bucket are known to match.
    func matches(_ id: ObjectID) -> Bool { isAll || buckets[ManifestBucket.index(of: id)] }

    /// The records of a bucket that do not match; nil where it was not compared yet, or all match.
    func misfits(of index: Int) -> Set<ObjectID>? { faults[index] }

    /// Records the outcome for a bucket: it is not compared again.
    mutating func note(_ findings: [VaultFinding], of index: Int) {
        if findings.isEmpty { return buckets[index] = true }
        faults[index] = Set(findings.compactMap(\.id))
        found += findings
    }

    /// What was found since the last call.
    mutating func takeFindings() -> [VaultFinding] {
        defer { found = [] }
        return found
    }
}
