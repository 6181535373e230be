// SPDX-License-Identifier: Apache-2.0
package import Credentials
package import SecretMemory

/// What `VaultRecovery` reads and changes of a vault that is in use. `Vault` provides it; whoever may not import this module can do
/// nothing with it.
package protocol RecoverableVault {
    var file: VaultFile { get }
    var entropy: any RandomNumberGenerator { get nonmutating set }

    /// What is in memory while the vault is unlocked; throws the reason that there is nothing.
    var unlocked: UnlockedState { get throws(VaultError) }

    /// The file with the entries of the release log that are not in the database; nil while the vault is locked.
    var releaseFile: ReleaseFile? { get }

    /// The last recorded change of a vault; of whichever vault these keys open, where its id is nil.
    func lastMark(of vaultID: SealTag?) -> VaultMark?

    // MARK: - Repair

    /// Uses slots and a manifest from now on, both as a transaction has written them, and checks the vault.
    ///
    /// - Returns: nil where it could not be checked.
    func adopt(_ slots: [SlotRow], _ manifest: Manifest, _ progress: VaultProgress) -> CheckReport?

    /// Forgets what was compared with the manifest: those were rows of the former file, and its copy may have older ones. The keys, the
    /// manifest and the slots stay.
    func forgetCompared()

    /// Inserts, in one transaction, the record that `body` takes from elsewhere in the file. Throws `alreadySaved` where the vault has
    /// it, or another that replaced it.
    ///
    /// - Returns: its id; nil where `body` returns nil.
    func insert(
        _ body: (VaultStatements) throws(VaultError) -> (any VaultRecord)?
    ) throws(VaultError) -> ObjectID?

    // MARK: - Replacing the file

    /// Makes all entries of the release log and all times of last use durable.
    func syncReleases() throws(VaultError)

    /// Brings an intact draft with so many records to the present format, and makes it newer than the vault that it is to replace.
    func prepare(
        _ draft: VaultDatabase, vaultKey: SecretBytes, records: Int, _ progress: VaultProgress
    ) throws(VaultError)

    /// Locks the vault; its file is replaced next.
    func endUse()

    /// Unlocks the file that has replaced the former one. Where that fails the vault stays locked.
    func unlock(vaultKey: SecretBytes, with releaseFile: ReleaseFile?)

    /// Closes the file and releases the lock.
    func release()
}

/// What is in memory while a vault is unlocked.
package struct UnlockedState {
    package let keys: VaultKeys
    /// nil where its root is lost, or not trusted.
    package let manifest: Manifest?
    package let distrust: DistrustedVault?
    /// The slots as the manifest pins them; nil where they did not match it when the vault was unlocked.
    package let slots: [SlotRow]?

    package init(keys: VaultKeys, manifest: Manifest?, distrust: DistrustedVault?, slots: [SlotRow]?) {
        self.keys = keys
        self.manifest = manifest
        self.distrust = distrust
        self.slots = slots
    }

    /// The root of the manifest, trusted or not; nil where it is lost.
    package var root: ManifestRoot? { manifest?.root ?? distrust?.root }
}
