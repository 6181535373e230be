// SPDX-License-Identifier: Apache-2.0
internal import Credentials
internal import VaultFormat

/// Detects an older vault. The last change is recorded beside the vault and in memory, after its commit. So a mark is never newer
/// than the vault, whenever a kill or a power cut happens, and a vault that is older than its mark was put back.
extension RecordStore {
    /// Why the vault with this manifest is not to be trusted; nil where it is as new as its last recorded change.
    func distrust(_ manifest: Manifest, _ file: ReleaseFile?, _ keys: VaultKeys) -> DistrustedVault? {
        guard self.file.directory != nil else { return nil }
        let present = manifest.mark
        let newest = lastMark(of: present.vaultID, file, keys)
        if let newest, newest.generation >= present.generation, newest != present {
            return DistrustedVault(
                finding: .rolledBack(found: present.generation, expected: newest.generation), root: manifest.root)
        }
        return newest == nil && manifest.root.isMarked
            ? DistrustedVault(finding: .unmarked, root: manifest.root) : nil
    }

    /// The last recorded change of a vault; of whichever vault these keys open, where its id is nil.
    func lastMark(of vaultID: SealTag?, _ file: ReleaseFile?, _ keys: VaultKeys) -> VaultMark? {
        [file?.mark(keys.marks), mark].compactMap { $0 }
            .filter { vaultID == nil || $0.vaultID == vaultID }
            .max { $0.generation < $1.generation }
    }

    /// Records the last change. Call it after each commit.
    func noteChange(_ unlocked: UnlockedVault) {
        guard file.directory != nil, let new = unlocked.manifest?.mark, new != mark else { return }
        mark = new
        unlocked.releases.file?.put(new, unlocked.keys.marks, using: &entropy)
    }

    /// Records the change that the vault was found at. Where its root states that it has no mark yet, records it durably and changes
    /// the root. What fails is done at the next unlock.
    func beginMarks(_ unlocked: UnlockedVault) {
        noteChange(unlocked)
        guard let manifest = unlocked.manifest, let file = unlocked.releases.file, !manifest.root.isMarked,
            manifest.root.format > .first
        else { return }
        // The mark may be older than this process.
        do throws(VaultError) {
            file.put(manifest.mark, unlocked.keys.marks, using: &entropy)
            try file.synchronize()
            try write { transaction throws(VaultError) in
                transaction.changes.marks = true
                // A new vault, one that replaced another, or one that was repaired.
                try VaultSync.renew(&transaction)
            }
        } catch { return }
    }

    /// Makes a vault that is to replace another one state that it has no mark, and be newer than the one it replaces.
    ///
    /// - Parameter file: that of the vault which is replaced.
    func unmark(_ database: VaultDatabase, _ keys: VaultKeys, _ file: ReleaseFile?) throws(VaultError) {
        try database.write { statements throws(VaultError) in
            var root = try Manifest(reading: statements, key: keys.manifest).root
            let former = lastMark(of: root.vaultID, file, keys)
            root.isMarked = false
            // One more for what waits, and is written to the replaced vault before it is moved away.
            root.generation = max(root.generation, former.map(\.generation) ?? 0) &+ 2
            var manifest = Manifest(root: root)
            try manifest.write(statements, key: keys.manifest, using: &entropy)
        }
    }
}
