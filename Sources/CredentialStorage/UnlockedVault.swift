// SPDX-License-Identifier: Apache-2.0
internal import Credentials

/// What is in memory only while the vault is unlocked. When the last reference goes the keys are overwritten.
final class UnlockedVault {
    let keys: VaultKeys
    /// nil where its root is lost: then no record is given out or changed until `repair`, as nothing says which is the newest.
    var manifest: Manifest?
    /// Why there is no manifest though its root is there; until the person takes the vault as it is.
    var distrust: DistrustedVault?
    var releases: ReleaseJournal
    var reads = Reads()
    /// The slots as the manifest pins them; nil where they were not as it says when the vault was opened.
    var slots: [SlotRow]?
    /// The order of services' credentials, for those that were asked for.
    var orders = CredentialOrders()
    /// When credentials were last given out; on disk with `syncReleases`.
    var uses: [ObjectID: Timestamp] = [:]

    /// What was read since the unlock.
    struct Reads {
        /// What was compared with the manifest.
        var compared = ComparedBuckets()
        var opened = OpenedRecords()
    }

    init(keys: VaultKeys, manifest: Manifest?, releases: ReleaseJournal) {
        self.keys = keys
        self.manifest = manifest
        self.releases = releases
    }

    /// The scope of a service's credentials.
    func scope(of service: Service) -> SealTag { orders.scope(of: service, key: keys.index) }
}

/// Which records were compared with the manifest.
struct ComparedBuckets {
    /// A place for each bucket, as every look-up asks: whether all in it is as it should be.
    private var buckets = [Bool](repeating: false, count: ManifestBucket.count)
    /// The records that do not fit, of the buckets in which something does not.
    private var faults: [Int: Set<ObjectID>] = [:]
    /// What was found since it was taken last.
    private var found: [VaultFinding] = []
    var isAll = false

    subscript(_ index: Int) -> Bool { buckets[index] }

    /// The records of a bucket that do not fit; nil where it was not compared yet, or all in it does.
    func misfits(of index: Int) -> Set<ObjectID>? { faults[index] }

    /// Takes what the comparison of a bucket has found: it is not compared again.
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
