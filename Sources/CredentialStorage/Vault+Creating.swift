// SPDX-License-Identifier: Apache-2.0
package import Credentials
internal import Glibc
internal import SecretMemory

extension Vault {
    /// Makes a vault where none is, with a new key behind these slots, and leaves it unlocked.
    ///
    /// It is made under another name and renamed when it is whole and on disk, so that a half-made one is never found; one
    /// that cannot be unlocked then is removed again, since nobody was told its secrets. Throws `exists` where a vault is,
    /// whatever its state.
    package func create(_ slots: [NewSlot], at now: Timestamp) throws(VaultError) {
        guard !hold.isThere else { throw .exists }
        guard !slots.isEmpty else { throw .unusableSecret(.noSlot) }
        let keys = VaultKeys(vaultKey: randomKey())
        hold.purgeClock = PurgeClock(opened: now)
        switch location {
        case .memory:
            let database = try VaultDatabase(path: ":memory:", in: nil, isNew: true)
            try populate(database, keys: keys, slots: slots, at: now)
            hold.database = database
            _ = try unlock(keys)
        case .directory(let path):
            let directory = VaultDirectory(path: path)
            try claim(directory)
            var draft: FileIdentity?
            do throws(VaultError) {
                try directory.makeDraft()
                draft = FileIdentity(of: directory.draft)
                try make(in: directory, keys: keys, slots: slots, at: now)
                try open(directory)
                _ = try unlock(keys)
            } catch {
                release()
                directory.remove(draft)
                throw error
            }
        }
    }

    /// A new vault key.
    func randomKey() -> SecretBytes {
        SecretBytes(count: 32) { memory in
            for index in stride(from: 0, to: memory.count, by: 8) {
                memory.storeBytes(of: entropy.next() as UInt64, toByteOffset: index, as: UInt64.self)
            }
        }
    }

    private func make(
        in directory: VaultDirectory, keys: VaultKeys, slots: [NewSlot], at now: Timestamp
    ) throws(VaultError) {
        let database = try VaultDatabase(path: directory.draft, in: directory, isNew: true)
        try populate(database, keys: keys, slots: slots, at: now)
        // Closing says nothing of a log that could not be written back.
        try database.emptyLog()
        database.close()
        try VaultDirectory.synchronize(directory.draft)
        // Left by a vault that was here before: entries of another key.
        try VaultDirectory.remove(directory.releaseLog)
        try directory.rename(directory.draft, to: directory.database)
    }

    private func populate(
        _ database: VaultDatabase, keys: VaultKeys, slots: [NewSlot], at now: Timestamp
    ) throws(VaultError) {
        let vaultID = SealTag(high: entropy.next(), low: entropy.next())
        try database.write { statements throws(VaultError) in
            for (index, slot) in slots.enumerated() {
                try put(slot, as: Slot.ID(index + 1), keys: keys, statements, at: now)
            }
            let rows = try statements.slots.rows.all { row throws(VaultError) in SlotRow(row) }
            var manifest = Manifest(root: ManifestRoot(vaultID: vaultID, slots: rows))
            try manifest.write(statements, key: keys.manifest, using: &entropy)
        }
    }
}

extension VaultDirectory {
    /// An empty file for a new database, 0600 whatever the umask.
    func makeDraft() throws(VaultError) { try Self.makeEmptyFile(draft) }

    /// Removes a draft, also one that is the vault by now, with its record of releases.
    func remove(_ made: FileIdentity?) {
        if let made, made == FileIdentity(of: database) {
            try? Self.remove(releaseLog)
            try? Self.removeDatabase(database)
        }
        try? Self.removeDatabase(draft)
    }

    /// Makes a new file in the place of a left-over one.
    static func makeEmptyFile(_ path: String) throws(VaultError) {
        try removeDatabase(path)
        let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { throw .system(errno, path: path) }
        fchmod(descriptor, 0o600)
        Glibc.close(descriptor)
    }

    /// Removes a database and what SQLite keeps beside it.
    static func removeDatabase(_ path: String) throws(VaultError) {
        for suffix in ["", "-wal", "-shm", "-journal"] { try remove(path + suffix) }
    }
}
