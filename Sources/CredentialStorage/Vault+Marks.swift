// SPDX-License-Identifier: Apache-2.0

/// A vault of which nothing is given out, as it is older than its last change, or nothing says how new it is.
struct DistrustedVault {
    let finding: VaultFinding
    /// Its own root.
    let root: ManifestRoot
}

/// Old is never taken for new: the last change is noted beside the vault and in memory, after its commit. So a mark is never
/// ahead of the vault whatever moment a kill or a power cut comes at, and a vault that is behind its mark was put back.
extension Vault {
    /// Why the vault with this manifest is not to be trusted; nil where it is as new as is known.
    func distrust(_ manifest: Manifest, _ file: ReleaseFile?, _ keys: VaultKeys) -> DistrustedVault? {
        guard location != .memory else { return nil }
        let present = manifest.mark
        let newest = lastMark(of: present.vaultID, file, keys)
        if let newest, newest.generation >= present.generation, newest != present {
            return DistrustedVault(
                finding: .rolledBack(found: present.generation, expected: newest.generation), root: manifest.root)
        }
        return newest == nil && manifest.root.isMarked
            ? DistrustedVault(finding: .unmarked, root: manifest.root) : nil
    }

    /// The last change that is known of a vault; of whichever vault these keys open, where its id is nil.
    func lastMark(of vaultID: SealTag?, _ file: ReleaseFile?, _ keys: VaultKeys) -> VaultMark? {
        [file?.mark(keys.marks), hold.mark].compactMap { $0 }
            .filter { vaultID == nil || $0.vaultID == vaultID }
            .max { $0.generation < $1.generation }
    }

    /// Notes the last change. To be called after each commit.
    func noteChange(_ parts: UnlockedVault) {
        guard location != .memory, let mark = parts.manifest?.mark, mark != hold.mark else { return }
        hold.mark = mark
        parts.releases.file?.put(mark, parts.keys.marks, using: &entropy)
    }

    /// Notes the change that the vault was found at, durably where it says that it has no mark yet, which is then over. That
    /// which cannot be done waits for the next unlock.
    func beginMarks(_ parts: UnlockedVault) {
        noteChange(parts)
        guard let root = parts.manifest?.root, let file = parts.releases.file, !root.isMarked, root.format > .first
        else { return }
        // The mark may be there since before this process.
        do throws(VaultError) {
            if let mark = parts.manifest?.mark { file.put(mark, parts.keys.marks, using: &entropy) }
            try file.synchronize()
            try write { _, _, changes throws(VaultError) in changes.marks = true }
        } catch { return }
    }

    /// Has a vault that is to take another's place say that it has no mark, and be newer than what it takes the place of.
    ///
    /// - Parameter file: beside what it takes the place of.
    func unmark(_ database: VaultDatabase, _ keys: VaultKeys, _ file: ReleaseFile?) throws(VaultError) {
        try database.write { statements throws(VaultError) in
            var root = try Manifest(reading: statements, key: keys.manifest).root
            let former = lastMark(of: root.vaultID, file, keys)
            root.isMarked = false
            // One more for what waits, and comes into that before it is put aside.
            root.generation = max(root.generation, former.map(\.generation) ?? 0) &+ 2
            var manifest = Manifest(root: root)
            try manifest.write(statements, key: keys.manifest, using: &entropy)
        }
    }
}

extension UnlockedVault {
    /// The manifest, or why nothing is given out or changed.
    var trustedManifest: Manifest {
        get throws(VaultError) {
            if let manifest { return manifest }
            throw distrust == nil ? .damaged(part: "manifest root") : .outdated
        }
    }
}
