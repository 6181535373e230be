// SPDX-License-Identifier: Apache-2.0

/// The hold of this process on a vault: the open file, and the lock that keeps others from it.
struct VaultHold {
    /// What a second opener is told.
    let program: String
    /// nil while there is no vault, and while its file is closed.
    var database: VaultDatabase?
    /// What is known of the vault while its file is closed.
    private(set) var resting: RestingVault?
    var lock: VaultLock?
    /// The last change of the vault that this process knows of, locked or not.
    var mark: VaultMark?
    /// What others could write to until it was opened.
    var writableByOthers: String?
    /// nil before the vault was first unlocked.
    var purgeClock: PurgeClock?
    /// Why a vault of an older format was not brought to the present one, when that was tried last.
    var heldBack: VaultError?
    /// How often another file has taken the place of the one that was open: what was known of its versions holds no more.
    var replacements = 0

    init(by program: String) { self.program = program }

    /// Whether there is a vault, its file open or closed.
    var isThere: Bool { database != nil || resting != nil }

    /// The lock that is held, else a new one, which is still to be kept.
    func lock(on directory: VaultDirectory) throws(VaultError) -> VaultLock {
        if let lock { return lock }
        return try VaultLock(path: directory.lockFile, program: program)
    }

    mutating func opened(_ database: VaultDatabase, _ lock: VaultLock) {
        self.database = database
        self.lock = lock
        resting = nil
    }

    /// Closes the file; the lock stays.
    mutating func closeDatabase() {
        database?.close()
        database = nil
        resting = nil
    }

    /// Closes the file for as long as nobody needs it; the lock stays.
    mutating func rest(at path: String, _ slots: [SlotRow]?) {
        closeDatabase()
        resting = FileState(of: path).map { file in RestingVault(path: path, file: file, slots: slots) }
    }

    /// Another file is there than the one that was closed.
    mutating func noteReplaced() {
        replacements += 1
        resting = nil
    }

    /// Gives the file and the lock up.
    mutating func release() {
        closeDatabase()
        lock = nil
    }
}

/// A vault whose file is closed.
struct RestingVault {
    let path: String
    /// What the file was like when it was closed.
    let file: FileState
    /// Its slots; nil where they could not be read.
    let slots: [SlotRow]?

    /// Whether nobody has touched the file since.
    var isUntouched: Bool { FileState(of: path) == file }
}
