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
    /// What was compared with the manifest since the unlock.
    var compared = ComparedBuckets()
    /// The slots as the manifest pins them; nil where they were not as it says when the vault was opened.
    var slots: [SlotRow]?
    /// The order of services' credentials, for those that were asked for.
    var orders = CredentialOrders()
    /// When credentials were last given out; on disk with `syncReleases`.
    var uses: [ObjectID: Timestamp] = [:]

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
    /// A place for each bucket, as every look-up asks.
    private var buckets = [Bool](repeating: false, count: ManifestBucket.count)
    var isAll = false

    subscript(_ index: Int) -> Bool {
        get { buckets[index] }
        set { buckets[index] = newValue }
    }
}
