// SPDX-License-Identifier: Apache-2.0
internal import CSQLite
package import Credentials

extension SQLConnection {
    /// Copies all pages that it sees into the database at `path`.
    package func copyPages(to path: String, _ progress: VaultProgress = VaultProgress()) throws(VaultError) {
        let destination = try SQLConnection(path, at: path, flags: SQLITE_OPEN_READWRITE)
        try copyPages(to: destination, progress)
        // The copy states that it has a write-ahead log; a backup should be a single file.
        try destination.run("PRAGMA journal_mode = DELETE")
    }

    private func copyPages(to destination: SQLConnection, _ progress: VaultProgress) throws(VaultError) {
        guard let backup = sqlite3_backup_init(destination.handle, "main", handle, "main") else {
            throw destination.error
        }
        var code = sqlite3_backup_step(backup, 1024)
        do throws(VaultError) {
            while code == SQLITE_OK {
                let count = sqlite3_backup_pagecount(backup)
                try progress.advance(to: Int(count - sqlite3_backup_remaining(backup)), of: Int(count))
                code = sqlite3_backup_step(backup, 1024)
            }
        } catch {
            sqlite3_backup_finish(backup)
            throw error
        }
        // It returns the error of the steps, if there was one, but none for a file that another process holds.
        guard sqlite3_backup_finish(backup) == SQLITE_OK else { throw destination.error }
        guard code == SQLITE_DONE else { throw .held(processID: nil, program: nil) }
    }
}
