// SPDX-License-Identifier: Apache-2.0
internal import CSQLite
internal import Credentials

/// The pages of the file that SQLite keeps in memory.
extension VaultDatabase {
    /// How many bytes these are; 0 for a vault in memory.
    package var cachedBytes: Int {
        guard directory != nil else { return 0 }
        var (present, highest): (Int32, Int32) = (0, 0)
        try? access { connection throws(VaultError) in
            _ = sqlite3_db_status(connection.handle, SQLITE_DBSTATUS_CACHE_USED, &present, &highest, 0)
        }
        return Int(present)
    }

    /// Frees them; they are read again when they are needed. Takes about a millisecond for 8 MiB.
    package func releaseCache() {
        guard directory != nil else { return }
        try? access { connection throws(VaultError) in _ = sqlite3_db_release_memory(connection.handle) }
    }
}
