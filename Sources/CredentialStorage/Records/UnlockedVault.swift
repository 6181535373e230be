// SPDX-License-Identifier: Apache-2.0
internal import Credentials
internal import VaultFormat

/// What is in memory only while the vault is unlocked. The keys are overwritten when the last reference to it ends.
final class UnlockedVault {
    let keys: VaultKeys
    /// nil where its root is lost: then no record is returned or changed before `repair`, as nothing states which is the newest.
    var manifest: Manifest?
    /// Why there is no manifest although its root is there; until the user accepts the vault as it is.
    var distrust: DistrustedVault?
    let releases: ReleaseJournal
    /// Which records were compared with the manifest.
    var compared = ComparedBuckets()
    /// How much was opened.
    var opened = OpenedRecords()
    /// The slots as the manifest pins them; nil where they did not match it when the vault was unlocked.
    var slots: [SlotRow]?
    /// The order of the credentials of the services that were asked for.
    var orders = CredentialOrders()

    /// As `VaultRecovery` sees it.
    var state: UnlockedState {
        UnlockedState(keys: keys, manifest: manifest, distrust: distrust, slots: slots)
    }

    init(keys: VaultKeys, manifest: Manifest?, releases: ReleaseJournal) {
        self.keys = keys
        self.manifest = manifest
        self.releases = releases
    }

    /// Seals the entries that are not in the database again, as the continuation of those that are.
    func relinkReleases(using entropy: inout any RandomNumberGenerator) throws(VaultError) {
        guard let head = manifest?.root.releases else { return }
        try releases.relink(to: head, generation: generation, key: keys.releases, using: &entropy)
    }

    /// The generation that entries of the release log are made with; nil in a vault of the first format.
    var generation: UInt64? { keys.format > .first ? manifest?.root.generation ?? 0 : nil }

    /// The scope of a service's credentials.
    func scope(of service: Service) -> SealTag { orders.scope(of: service, key: keys.index) }

    /// The manifest, or why nothing is returned or changed.
    var trustedManifest: Manifest {
        get throws(VaultError) {
            if let manifest { return manifest }
            throw distrust == nil ? .damaged("manifest root") : .outdated
        }
    }
}
