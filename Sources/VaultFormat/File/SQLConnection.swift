// SPDX-License-Identifier: Apache-2.0
internal import CSQLite
package import Credentials

/// A connection to one SQLite file. A file that another process has locked is an error at once, and errors have SQLite's
/// extended codes. Used by one thread at a time.
package final class SQLConnection {
    /// For SQLite's own functions.
    let handle: OpaquePointer
    /// The file, as errors name it.
    package let path: String

    /// The flags of every connection. SQLite is configured before the first one.
    private static let flags: Int32 = {
        af_sqlite_count_no_memory()
        return SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE
    }()

    /// Opens the file at `path`.
    ///
    /// - Parameters:
    ///   - name: its name for SQLite: the path, or, with `SQLITE_OPEN_URI` among the flags, a URI.
    ///   - flags: `SQLITE_OPEN_…`: for reading only, or for writing, and whether a missing file is made.
    init(_ name: String, at path: String, flags: Int32) throws(VaultError) {
        var handle: OpaquePointer?
        let code = sqlite3_open_v2(name, &handle, flags | Self.flags, nil)
        guard code == SQLITE_OK, let handle else {
            let error = VaultError.sqlite(handle, path: path)
            sqlite3_close_v2(handle)
            throw error
        }
        self.handle = handle
        self.path = path
    }

    /// Closes the file. Every statement holds its connection, and so they are all finalised by now.
    deinit { sqlite3_close_v2(handle) }

    /// The cause behind the last error.
    package var error: VaultError { .sqlite(handle, path: path) }

    /// Runs statements that bind nothing; rows are passed over.
    package func run(_ sql: String) throws(VaultError) {
        guard sqlite3_exec(handle, sql, nil, nil, nil) == SQLITE_OK else { throw error }
    }

    /// Whether the path names another file by now than the one that is open, or none.
    package var hasMoved: Bool {
        var moved: Int32 = 0
        return sqlite3_file_control(handle, "main", SQLITE_FCNTL_HAS_MOVED, &moved) != SQLITE_OK || moved != 0
    }

    /// Whether no transaction is open.
    var isIdle: Bool { sqlite3_get_autocommit(handle) != 0 }

    /// Runs `body` in one transaction, which an error undoes.
    package func transaction(_ body: () throws(VaultError) -> Void) throws(VaultError) {
        try run("BEGIN IMMEDIATE")
        do throws(VaultError) {
            try body()
            try run("COMMIT")
        } catch {
            if !isIdle { try? run("ROLLBACK") }
            throw error
        }
    }
}
