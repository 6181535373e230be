// SPDX-License-Identifier: Apache-2.0

/// The hold of this process on a vault: the open file, and the lock that keeps others from it.
struct VaultHold {
    /// What a second opener is told.
    let program: String
    /// nil while there is no vault.
    var database: VaultDatabase?
    var lock: VaultLock?
    /// How often another file has taken the place of the one that was open: what was known of its versions holds no more.
    var replacements = 0

    init(by program: String) { self.program = program }

    /// The lock that is held, else a new one, which is still to be kept.
    func lock(on directory: VaultDirectory) throws(VaultError) -> VaultLock {
        if let lock { return lock }
        return try VaultLock(path: directory.lockFile, program: program)
    }

    /// Closes the file; the lock stays.
    mutating func closeDatabase() {
        database?.close()
        database = nil
    }

    /// Gives the file and the lock up.
    mutating func release() {
        closeDatabase()
        lock = nil
    }
}
