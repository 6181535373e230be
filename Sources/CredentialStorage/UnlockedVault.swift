// SPDX-License-Identifier: Apache-2.0
internal import Credentials

/// What is in memory only while the vault is unlocked. When the last reference goes the keys are overwritten.
final class UnlockedVault {
    let keys: VaultKeys
    /// nil where its root is lost: then no record is given out or changed until `repair`, as nothing says which is the newest.
    var manifest: Manifest?
    var releases: ReleaseJournal
    /// Buckets whose records were compared with the manifest since the unlock; a place for each, as every look-up asks.
    var comparedBuckets = [Bool](repeating: false, count: ManifestBucket.count)
    var areAllCompared = false
    /// The slots as the manifest pins them; nil where they were not as it says when the vault was opened.
    var slots: [SlotRow]?
    /// The scope of the service that was asked for last: it is asked for again and again.
    private var lastScope: (service: Service, tag: SealTag)?
    /// When credentials were last given out; on disk with `syncReleases`.
    var uses: [ObjectID: Timestamp] = [:]

    init(keys: VaultKeys, manifest: Manifest?, releases: ReleaseJournal) {
        self.keys = keys
        self.manifest = manifest
        self.releases = releases
    }
    /// The scope of a service's credentials. (A service's value is canonical, so equal strings are equal bytes.)
    func scope(of service: Service) -> SealTag {
        if let lastScope, lastScope.service == service { return lastScope.tag }
        let tag = Credential.scope(service: service, key: keys.index)
        lastScope = (service, tag)
        return tag
    }
}
