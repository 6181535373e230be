// SPDX-License-Identifier: Apache-2.0
package import Credentials
internal import SecretMemory
internal import VaultFormat

extension Vault {
    /// Makes a vault where there is none, with a new key behind these slots, and leaves it unlocked.
    ///
    /// It is made under another name and renamed when it is complete and on disk, so that an incomplete one is never found. One that
    /// cannot be unlocked then is removed again, since no one was given its secrets. Throws `exists` where there is a vault, whatever
    /// its state.
    package func create(_ slots: [NewSlot], at now: Timestamp) throws(VaultError) {
        guard !file.isThere else { throw .exists }
        guard !slots.isEmpty else { throw .unusableSecret(.noSlot) }
        let keys = VaultKeys(vaultKey: store.newVaultKey())
        store.purgeClock = PurgeClock(opened: now, replacements: file.replacements)
        guard let directory = file.directory else {
            let database = try VaultDatabase(path: ":memory:", in: nil, isNew: true)
            try populate(database, keys: keys, slots: slots, at: now)
            file.database = database
            _ = try unlock(keys)
            return
        }
        try file.claim(directory)
        var draft: FileIdentity?
        do throws(VaultError) {
            try VaultDirectory.makeEmptyFile(directory.draft)
            draft = FileIdentity(of: directory.draft)
            try make(in: directory, keys: keys, slots: slots, at: now)
            try file.open(directory)
            _ = try unlock(keys)
        } catch {
            release()
            directory.remove(draft)
            throw error
        }
    }

    private func make(
        in directory: VaultDirectory, keys: VaultKeys, slots: [NewSlot], at now: Timestamp
    ) throws(VaultError) {
        let database = try VaultDatabase(path: directory.draft, in: directory, isNew: true)
        try populate(database, keys: keys, slots: slots, at: now)
        // Closing does not report a log that could not be written back.
        try database.emptyLog()
        database.close()
        try VaultDirectory.synchronize(directory.draft)
        // Of a vault that was here before: entries under another key, and changes of another file.
        try directory.putStrayLogAside(.moved)
        try VaultDirectory.remove(directory.releaseLog)
        try directory.rename(directory.draft, to: directory.database)
    }

    private func populate(
        _ database: VaultDatabase, keys: VaultKeys, slots: [NewSlot], at now: Timestamp
    ) throws(VaultError) {
        let vaultID = SealTag(high: store.entropy.next(), low: store.entropy.next())
        try database.write { statements throws(VaultError) in
            for (index, slot) in slots.enumerated() {
                try statements.put(slot, as: Slot.ID(index + 1), keys: keys, at: now, using: &store.entropy)
            }
            var manifest = Manifest(root: ManifestRoot(vaultID: vaultID, slots: try statements.slotRows()))
            try manifest.write(statements, key: keys.manifest, using: &store.entropy)
        }
    }
}
