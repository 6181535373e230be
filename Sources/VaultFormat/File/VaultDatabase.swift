// SPDX-License-Identifier: Apache-2.0
internal import CSQLite
package import Credentials
internal import Glibc

/// The SQLite file, open and held exclusively: one connection, prepared statements, transactions of one commit.
package final class VaultDatabase {
    package let path: String
    /// nil for a vault in memory.
    package let directory: VaultDirectory?
    /// nil when it is closed.
    private var connection: SQLConnection?
    private let identity: FileIdentity?
    /// The write-ahead log; nil for a vault in memory.
    package let log: LogFile?
    private let logLength: LogLength
    private var prepared: VaultStatements?
    private var walPath: String { path + "-wal" }
    /// How its rows are sealed; changes when they are sealed again.
    package var format: FormatVersion

    /// Opens what is there, or makes it where `isNew`, in this `format`.
    package init(
        path: String, in directory: VaultDirectory?, isNew: Bool, format: FormatVersion = .present
    ) throws(VaultError) {
        self.path = path
        self.directory = directory
        identity = directory == nil ? nil : FileIdentity(of: path)
        let connection = try Self.connect(path)
        self.connection = connection
        if isNew { try VaultSchema.make(format, on: connection) }
        self.format = try VaultSchema.format(of: connection)
        prepared = try VaultStatements(on: connection)
        let log = directory == nil ? nil : LogFile(at: path + "-wal", isNew: isNew)
        self.log = log
        logLength = LogLength(of: log)
        logLength.observe(connection)
    }

    deinit { close() }

    /// What every connection is set to before it reads the first page. Exclusive locking comes first: with it the index of
    /// the write-ahead log lives in our memory, and there is no file for it.
    private static let pragmas = [
        "locking_mode = EXCLUSIVE", "journal_mode = WAL", "synchronous = FULL", "secure_delete = ON",
        "trusted_schema = OFF", "cell_size_check = ON", "temp_store = MEMORY", "cache_size = -65536",
    ]

    private static func connect(_ path: String) throws(VaultError) -> SQLConnection {
        let connection = try SQLConnection(path, at: path, flags: SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE)
        guard af_sqlite_refuse_quoted_strings(connection.handle) == SQLITE_OK else { throw connection.error }
        for pragma in pragmas { try connection.run("PRAGMA \(pragma)") }
        // SQLite opens any file, and reports one that is no database at the first read.
        try connection.run("SELECT 1 FROM sqlite_schema LIMIT 1")
        return connection
    }

    // MARK: - Access

    /// The prepared statements, to read; those that change something are for use inside `write`.
    package var statements: VaultStatements {
        get throws(VaultError) {
            guard let prepared else { throw .failed(code: SQLITE_MISUSE) }
            return prepared
        }
    }

    /// Calls `body` with the connection; calls may nest.
    package func access<Result>(_ body: (SQLConnection) throws(VaultError) -> Result) throws(VaultError) -> Result {
        guard let connection else { throw .failed(code: SQLITE_MISUSE) }
        return try body(connection)
    }

    /// Runs `body` in one transaction; an error undoes all of it.
    ///
    /// After a sync of the log that failed it writes that back first, and fails where that is not possible.
    ///
    /// - Parameter isDurable: whether it survives a power cut on return; else from the next durable one on, or the next sync of
    ///   the log.
    package func write<Result>(
        isDurable: Bool = true, _ body: (VaultStatements) throws(VaultError) -> Result
    ) throws(VaultError) -> Result {
        try checkIdentity()
        return try access { connection throws(VaultError) in
            let statements = try statements
            guard connection.isIdle else { throw .rekeying }
            if log?.hasFailed == true { try emptyLog() }
            if !isDurable { try connection.run("PRAGMA synchronous = NORMAL") }
            defer { if !isDurable { restoreSynchronous(connection) } }
            try statements.transaction.begin.run()
            do throws(VaultError) {
                let result = try body(statements)
                do throws(VaultError) { try statements.transaction.commit.run() } catch {
                    logLength.noteSync(sqlite3_extended_errcode(connection.handle))
                    throw error
                }
                return result
            } catch {
                // Some errors, a full disk among them, have rolled back already.
                if !connection.isIdle { try? statements.transaction.rollback.run() }
                throw error
            }
        }
    }

    /// As `pragmas` has it. A connection on which that fails is used no more.
    private func restoreSynchronous(_ connection: SQLConnection) {
        do throws(VaultError) { try connection.run("PRAGMA synchronous = FULL") } catch { close() }
    }

    /// That the paths still name the files which are open; before each write. A write into a file that was moved away or
    /// replaced would be lost.
    package func checkIdentity() throws(VaultError) {
        guard directory != nil else { return }
        for (path, identity) in [(path, identity), (walPath, log?.identity)] {
            let current = FileIdentity(of: path)
            // A folder that may not be searched any more hides its files; it has not lost them.
            if current == nil, errno == EACCES { throw .permissionLost(path: path) }
            guard current == identity else { throw .replaced(path: path) }
        }
    }

    /// Whether the paths name other files than the open ones.
    package var isReplaced: Bool {
        do throws(VaultError) { try checkIdentity() } catch { return true }
        return false
    }

    /// Whether sync was started in it.
    package var hasSync: Bool {
        get throws(VaultError) { try access { connection throws(VaultError) in try VaultSchema.hasSync(connection) } }
    }

    /// Records that sync is started, in a transaction of the caller's.
    package func beginSync() throws(VaultError) {
        try access { connection throws(VaultError) in try VaultSchema.beginSync(on: connection) }
    }

    // MARK: - Freezing

    /// Writes the log back, and writes to nothing but the log until `thaw`. Throws where the log cannot be written back.
    ///
    /// - Parameter endReading: makes a reader of the frozen file fail.
    package func freeze(_ endReading: @escaping () -> Void) throws(VaultError) {
        try checkIdentity()
        try emptyLog()
        logLength.endReading = endReading
    }

    /// The log may be written back again; a reader of the frozen file fails.
    package func thaw() {
        logLength.endReading?()
        logLength.endReading = nil
    }

    // MARK: - The log

    /// Writes the log back into the file and empties it.
    package func emptyLog() throws(VaultError) {
        thaw()
        let hadFailed = log?.hasFailed ?? false
        do throws(VaultError) { try writeBack(SQLITE_CHECKPOINT_TRUNCATE) } catch {
            // SQLite's descriptor reports the error of the disk that another has reported once more, and nothing is copied.
            guard hadFailed else { throw error }
            try writeBack(SQLITE_CHECKPOINT_TRUNCATE)
        }
        log?.noteWrittenBack()
    }

    /// Writes the header of the emptied log. The first commit does that, and waits for a sync of it, durable or not.
    package func beginLog() throws(VaultError) {
        try write { _ throws(VaultError) in
            // The first page as it is: no vault uses this number.
            try access { connection throws(VaultError) in try connection.run("PRAGMA user_version = 0") }
        }
    }

    /// Whether the log is to be written back now, by another thread.
    package var mustWriteBack: Bool { directory != nil && logLength.isDue }

    /// Writes the log back into the file. The log keeps its size, which makes the sync of later commits cheaper.
    package func writeBack() throws(VaultError) { try writeBack(SQLITE_CHECKPOINT_PASSIVE) }

    private func writeBack(_ mode: Int32) throws(VaultError) {
        try access { connection throws(VaultError) in
            let code = sqlite3_wal_checkpoint_v2(connection.handle, nil, mode, nil, nil)
            logLength.noteWrittenBack(code)
            guard code == SQLITE_OK else { throw connection.error }
        }
    }

    /// Whether writing the log back takes so long that the event loop should not wait for it: above 128 pages, some two
    /// milliseconds.
    package var hasLongLog: Bool { directory != nil && logLength.pages > 128 }

    // MARK: - Closing

    /// Closes the connection; the log is written back and removed where that is possible.
    package func close() {
        thaw()
        if isReplaced {
            // What has the file's name now must find no log that is to be applied to it.
            try? emptyLog()
            keepLog()
        } else if log?.hasFailed == true {
            // SQLite tries it once.
            try? emptyLog()
        }
        // The statements first: SQLite closes nothing before the last one is finalised.
        prepared = nil
        connection = nil
    }

    /// On closing SQLite removes the log by its name: not where that may be another file's.
    private func keepLog() {
        try? access { connection throws(VaultError) in
            var persist: Int32 = 1
            sqlite3_file_control(connection.handle, "main", SQLITE_FCNTL_PERSIST_WAL, &persist)
        }
    }
}
