// SPDX-License-Identifier: Apache-2.0
internal import CSQLite
package import Credentials
internal import Glibc

extension VaultError {
    /// The cause behind an errno of a call on `path`.
    package static func system(_ number: Int32, path: String) -> VaultError {
        switch number {
        case ENOSPC, EDQUOT, EFBIG: .storageFull
        case EROFS: .readOnly
        case EACCES, EPERM: .permissionLost(path: path)
        case ENOENT, ENOTDIR: .absent(path: path)
        // Files are opened without following links.
        case EISDIR, ELOOP: .notPlain(path: path)
        default: .failed(code: number)
        }
    }

    /// The cause behind the last error of a connection.
    package static func sqlite(_ connection: OpaquePointer?, path: String) -> VaultError {
        let code = sqlite3_extended_errcode(connection)
        var number = sqlite3_system_errno(connection)
        if let connection {
            let causes = lastErrors(connection)
            // By the time that SQLite reports an error of the log its rollback may have changed errno.
            if code & 0xFF == SQLITE_IOERR, let cause = causes.first(where: isFull) { number = cause }
            // SQLite also reports a page that it could not read as corrupt.
            if code & 0xFF == SQLITE_CORRUPT, causes.contains(EIO) { return .damaged(unreadPage) }
        }
        return sqlite(code: code, systemErrno: number, path: path)
    }

    private static func isFull(_ number: Int32) -> Bool { number == ENOSPC || number == EDQUOT || number == EFBIG }

    /// The errno of the last failed call on the log, and on the database.
    private static func lastErrors(_ connection: OpaquePointer) -> [Int32] {
        var log: UnsafeMutablePointer<sqlite3_file>?
        var (ofLog, ofDatabase): (Int32, Int32) = (0, 0)
        sqlite3_file_control(connection, "main", SQLITE_FCNTL_JOURNAL_POINTER, &log)
        if let log, let methods = log.pointee.pMethods {
            _ = methods.pointee.xFileControl?(log, SQLITE_FCNTL_LAST_ERRNO, &ofLog)
        }
        sqlite3_file_control(connection, "main", SQLITE_FCNTL_LAST_ERRNO, &ofDatabase)
        return [ofLog, ofDatabase]
    }

    private static func sqlite(code: Int32, systemErrno: Int32, path: String) -> VaultError {
        switch code & 0xFF {
        case SQLITE_FULL: .storageFull
        case SQLITE_READONLY: code == af_sqlite_readonly_moved ? .replaced(path: path) : .readOnly
        case SQLITE_BUSY, SQLITE_LOCKED: .held(processID: nil, program: nil)
        case SQLITE_CORRUPT: .damaged("database page")
        case SQLITE_NOTADB: .notAVault(path: path)
        case SQLITE_PERM, SQLITE_AUTH: .permissionLost(path: path)
        case SQLITE_IOERR, SQLITE_CANTOPEN:
            switch systemErrno {
            case ENOSPC, EDQUOT, EFBIG, EROFS, EACCES, EPERM: system(systemErrno, path: path)
            default:
                code == af_sqlite_corrupt_file_system
                    ? .damaged(unreadPage)
                    : code == af_sqlite_short_read ? .damaged("database page") : .failed(code: code)
            }
        default: .failed(code: code)
        }
    }
}

extension VaultError {
    /// A page that the disk cannot read: a repair or a salvage leaves it out.
    static var unreadPage: String { "database page (read error)" }

    /// The disk cannot read the file.
    package static var unreadFile: VaultError { .failed(code: af_sqlite_corrupt_file_system) }

    /// A row has an id that is none: it cannot be named.
    package static let unnamedRecord = VaultError.damaged("record without a sound id")
}
