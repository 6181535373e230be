// SPDX-License-Identifier: Apache-2.0
package import Credentials

/// The files of a vault as this process holds them: the lock, and the database while it is open.
///
/// The database of a locked vault is closed, except while `whileOpen` uses it. So a file that is put at its path is the one that is
/// opened next, and no write-ahead log of the former file is applied to it.
package final class VaultFile {
    /// The folder of the vault; nil for a vault in memory.
    package let directory: VaultDirectory?
    /// The name of this program, as the lock file reports it to a second process.
    package let program: String
    // What other modules can read and set is checked for overlapping accesses at each: hence these private ones behind `database`
    // and `replacements`.
    private var present: VaultDatabase?
    private var replacementCount = 0
    /// What is recorded of the vault while its file is closed.
    private var resting: RestingVault?
    private var lock: VaultLock?
    /// The folder or file that others could write to before it was closed to them.
    package private(set) var writableByOthers: String?
    /// Whether the vault is unlocked: then the file stays open.
    package var isInUse = false

    package init(in directory: VaultDirectory?, program: String) {
        self.directory = directory
        self.program = program
    }

    /// nil while there is no vault, and while its file is closed.
    package var database: VaultDatabase? {
        get { present }
        set { present = newValue }
    }

    /// How often another file has replaced the one that was open.
    package var replacements: Int {
        get { replacementCount }
        set { replacementCount = newValue }
    }

    /// Whether this process holds the lock.
    package var isHeld: Bool { lock != nil }

    /// Whether there is a vault, its file open or closed.
    package var isThere: Bool { present != nil || resting != nil }

    /// The open database, or the reason that there is none.
    package var openDatabase: VaultDatabase {
        get throws(VaultError) {
            guard let present else { throw isThere ? .locked : .missing }
            return present
        }
    }

    // MARK: - Opening

    /// Takes the lock and opens the file.
    ///
    /// - Parameter isFirst: whether a process that was killed may have left unfinished work.
    package func open(_ directory: VaultDirectory, isFirst: Bool = false) throws(VaultError) {
        let lock = try newLock(on: directory)
        if isFirst { try directory.tidy() }
        if try VaultDirectory.close(directory.path, mode: 0o700) { writableByOthers = directory.path }
        if try VaultDirectory.close(directory.database, mode: 0o600) { writableByOthers = directory.database }
        try directory.checkHeader()
        present = try VaultDatabase(path: directory.database, in: directory, isNew: false)
        self.lock = lock
        resting = nil
    }

    /// Opens the file where there is one, to see that it can be opened, and closes it until the vault is unlocked.
    package func openFirst() throws(VaultError) {
        guard let directory, try directory.hasVault() else { return }
        try open(directory, isFirst: true)
        rest()
    }

    /// Opens the file where one is there although none is open: after an error while it was replaced, or where one was put there.
    package func openIfThere() throws(VaultError) {
        guard !isThere, let directory, try directory.hasVault() else { return }
        replacementCount += 1
        try openFirst()
    }

    /// Opens the file that is at the path now instead of the open one.
    package func reopen() throws(VaultError) {
        guard let directory else { return }
        closeDatabase()
        replacementCount += 1
        guard try directory.hasVault() else { throw .missing }
        try open(directory)
    }

    /// Makes the directory and takes the lock, where there is no vault yet, or one that is to be replaced.
    package func claim(_ directory: VaultDirectory, replacing: Bool = false) throws(VaultError) {
        if try directory.make() { writableByOthers = directory.path }
        lock = try newLock(on: directory)
        if !replacing, try directory.hasVault() {
            lock = nil
            throw .exists
        }
    }

    /// Makes the directory again and takes its lock, where somebody has removed it while the vault was open.
    package func claimAgain(_ directory: VaultDirectory) throws(VaultError) {
        guard lock?.isAt(directory.lockFile) != true else { return }
        try directory.make()
        lock = try VaultLock(path: directory.lockFile, program: program)
    }

    /// The lock that is held, else a new one.
    private func newLock(on directory: VaultDirectory) throws(VaultError) -> VaultLock {
        if let lock { return lock }
        return try VaultLock(path: directory.lockFile, program: program)
    }

    // MARK: - Closing

    /// Calls `body` with the database. A file that was closed is opened, and closed again unless the vault is unlocked then.
    package func whileOpen<Result>(_ body: (VaultDatabase) throws(VaultError) -> Result) throws(VaultError) -> Result {
        if let present { return try body(present) }
        guard let resting, let directory else { throw .missing }
        if !resting.isUntouched {
            replacementCount += 1
            self.resting = nil
        }
        guard try directory.hasVault() else { throw .missing }
        try open(directory)
        defer { rest() }
        return try body(openDatabase)
    }

    /// Closes the file of a locked vault; its log is written back and removed. Where that fails, or another file is at the path, the
    /// file stays open: it may be all that is left of the vault.
    package func rest() {
        guard !isInUse, let database = present, database.directory != nil else { return }
        guard (try? database.emptyLog()) != nil, !database.isReplaced else { return }
        let slots = try? slotRows()
        closeDatabase()
        resting = FileState(of: database.path).map { RestingVault(path: database.path, file: $0, slots: slots) }
    }

    /// Closes the file; the lock stays.
    package func closeDatabase() {
        present?.close()
        present = nil
        resting = nil
    }

    /// Closes the file and releases the lock.
    package func release() {
        closeDatabase()
        lock = nil
    }

    // MARK: - Without keys

    package func slotRows() throws(VaultError) -> [SlotRow] {
        if let resting, let slots = resting.slots, resting.isUntouched { return slots }
        return try whileOpen { database throws(VaultError) in try database.statements.slotRows() }
    }
}

/// A vault whose file is closed.
struct RestingVault {
    let path: String
    /// The state of the file when it was closed.
    let file: FileState
    /// nil where the slots could not be read.
    let slots: [SlotRow]?

    /// Whether the file has not changed since.
    var isUntouched: Bool { FileState(of: path) == file }
}
