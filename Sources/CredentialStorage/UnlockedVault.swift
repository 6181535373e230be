// SPDX-License-Identifier: Apache-2.0
internal import Credentials

/// What is in memory only while the vault is unlocked. When the last reference goes the keys are overwritten.
final class UnlockedVault {
    let keys: VaultKeys
    /// nil where its root is damaged: then nothing can be changed, but all else be read, until `repair`.
    var manifest: Manifest?
    var releases: ReleaseJournal
    /// Buckets whose records were compared with the manifest since the unlock.
    var comparedBuckets: Set<Int> = []
    var areAllCompared = false
    /// When credentials were last given out; on disk with `syncReleases`.
    var uses: [ObjectID: Timestamp] = [:]

    init(keys: VaultKeys, manifest: Manifest?, releases: ReleaseJournal) {
        self.keys = keys
        self.manifest = manifest
        self.releases = releases
    }
}
