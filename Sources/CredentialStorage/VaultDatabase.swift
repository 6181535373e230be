// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import GRDB
internal import GRDBSQLite

/// The SQLite file, open and held exclusively: one connection, prepared statements, transactions of one commit.
final class VaultDatabase {
    let path: String
    /// nil for a vault in memory.
    let directory: VaultDirectory?
    let queue: DatabaseQueue
    private let identity: FileIdentity?
    private var walIdentity: FileIdentity?
    private var prepared: VaultStatements?
    private var walPath: String { path + "-wal" }
    /// What another thread looks at, while the file is left as it is.
    private var frozen: FrozenVault?

    /// Opens what is there, or makes it where `isNew`, and brings it to the present schema.
    init(
        path: String, in directory: VaultDirectory?, isNew: Bool,
        beforeMigration: (DatabaseQueue) throws(VaultError) -> Void = { _ throws(VaultError) in }
    ) throws(VaultError) {
        self.path = path
        self.directory = directory
        identity = directory == nil ? nil : FileIdentity(of: path)
        queue = try Self.connect(path, inMemory: directory == nil)
        try VaultSchema.migrate(queue, path: path, isNew: isNew, beforeMigration: beforeMigration)
        try access { connection throws(VaultError) in prepared = try VaultStatements(on: connection, path: path) }
        walIdentity = directory == nil ? nil : FileIdentity(of: walPath)
    }

    deinit { close() }

    /// What every connection is set to before it reads the first page. Exclusive locking comes first: with it the index of
    /// the write-ahead log lives in our memory, and there is no file for it.
    static func configuration() -> Configuration {
        var configuration = Configuration()
        configuration.foreignKeysEnabled = false
        configuration.prepareDatabase { database in
            for pragma in [
                "locking_mode = EXCLUSIVE", "journal_mode = WAL", "synchronous = FULL", "secure_delete = ON",
                "trusted_schema = OFF", "cell_size_check = ON", "temp_store = MEMORY", "cache_size = -65536",
            ] {
                try database.execute(sql: "PRAGMA \(pragma)")
            }
        }
        return configuration
    }

    private static func connect(_ path: String, inMemory: Bool) throws(VaultError) -> DatabaseQueue {
        do {
            return inMemory
                ? try DatabaseQueue(configuration: configuration())
                : try DatabaseQueue(path: path, configuration: configuration())
        } catch { throw .grdb(error, path: path) }
    }

    // MARK: - Access

    /// The prepared statements, for use inside `read` and `write`.
    var statements: VaultStatements {
        get throws(VaultError) {
            guard let prepared else { throw .failed(code: SQLITE_MISUSE) }
            return prepared
        }
    }

    /// Lends the connection, on its own queue; calls may nest.
    func access<Result>(_ body: (OpaquePointer) throws(VaultError) -> Result) throws(VaultError) -> Result {
        let result: Swift.Result<Result, VaultError> = queue.unsafeReentrantWrite { database in
            do throws(VaultError) {
                guard let connection = database.sqliteConnection else { throw .failed(code: SQLITE_MISUSE) }
                return .success(try body(connection))
            } catch { return .failure(error) }
        }
        return try result.get()
    }

    /// Copies a database as it was opened, before it is brought to the present schema.
    static func copyPages(of queue: DatabaseQueue, to path: String) throws(VaultError) {
        let result: Swift.Result<Void, VaultError> = queue.unsafeReentrantWrite { database in
            do throws(VaultError) {
                guard let connection = database.sqliteConnection else { throw .failed(code: SQLITE_MISUSE) }
                return .success(try VaultCopy.copyPages(of: connection, to: path))
            } catch { return .failure(error) }
        }
        try result.get()
    }

    /// Runs `body` with the statements, to read only. A vault belongs to one executor, so nothing of GRDB's runs on the
    /// connection meanwhile, and reading need not go through its queue: that took a tenth of a look-up. (Writing must:
    /// GRDB hooks into commits, and ends the process for one beside its queue.)
    func read<Result>(_ body: (VaultStatements) throws(VaultError) -> Result) throws(VaultError) -> Result {
        try body(statements)
    }

    /// Runs `body` in one transaction, durable on return; an error undoes all of it.
    func write<Result>(_ body: (VaultStatements) throws(VaultError) -> Result) throws(VaultError) -> Result {
        try checkIdentity()
        return try access { connection throws(VaultError) in
            let statements = try statements
            guard sqlite3_get_autocommit(connection) != 0 else { throw .rekeying }
            try statements.begin.run()
            do throws(VaultError) {
                let result = try body(statements)
                try statements.commit.run()
                return result
            } catch {
                // Some errors, a full disk among them, have rolled back already.
                if sqlite3_get_autocommit(connection) == 0 { try? statements.rollback.run() }
                throw error
            }
        }
    }

    /// That the paths still name the files which are open; before each write. A write into a file that was moved away or
    /// replaced would be lost.
    func checkIdentity() throws(VaultError) {
        guard directory != nil else { return }
        guard let current = FileIdentity(of: path), current == identity else { throw .replaced(path: path) }
        guard FileIdentity(of: walPath) == walIdentity else { throw .replaced(path: walPath) }
    }

    /// Whether the paths name other files than the open ones.
    var isReplaced: Bool {
        do throws(VaultError) { try checkIdentity() } catch { return true }
        return false
    }

    // MARK: - Freezing

    /// Writes the log back, and writes to nothing but the log until `thaw`. Throws where the log cannot be written back.
    func freeze(_ frozen: FrozenVault) throws(VaultError) {
        try checkIdentity()
        try emptyLog()
        try access { connection throws(VaultError) in _ = sqlite3_wal_autocheckpoint(connection, 0) }
        self.frozen = frozen
    }

    /// The log is written back from time to time again; who still looks at the file is told that it is not what it was.
    func thaw() {
        guard let frozen else { return }
        frozen.giveUp()
        self.frozen = nil
        try? access { connection throws(VaultError) in
            _ = sqlite3_wal_autocheckpoint(connection, Self.checkpointPages)
        }
    }

    /// SQLite's own default.
    private static let checkpointPages: Int32 = 1000

    /// Writes the log back into the file and empties it.
    func emptyLog() throws(VaultError) {
        thaw()
        try access { connection throws(VaultError) in
            guard sqlite3_wal_checkpoint_v2(connection, nil, SQLITE_CHECKPOINT_TRUNCATE, nil, nil) == SQLITE_OK else {
                throw .sqlite(connection, path: path)
            }
        }
    }

    // MARK: - Closing

    /// Closes the connection; the log is written back and removed where that is possible.
    func close() {
        thaw()
        if isReplaced { keepLog() }
        prepared = nil
        try? queue.close()
    }

    /// On closing SQLite removes the log by its name: not where that may be another file's.
    private func keepLog() {
        try? access { connection throws(VaultError) in
            var persist: Int32 = 1
            sqlite3_file_control(connection, "main", SQLITE_FCNTL_PERSIST_WAL, &persist)
        }
    }
}
