// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import GRDB
internal import GRDBSQLite

extension VaultError {
    /// The cause behind an errno of a call on `path`.
    static func system(_ number: Int32, path: String) -> VaultError {
        switch number {
        case ENOSPC, EDQUOT, EFBIG: .storageFull
        case EROFS: .readOnly
        case EACCES, EPERM: .permissionLost(path: path)
        case ENOENT, ENOTDIR: .absent(path: path)
        default: .failed(code: number)
        }
    }

    /// The cause behind the last error of a connection.
    static func sqlite(_ connection: OpaquePointer?, path: String) -> VaultError {
        sqlite(
            code: sqlite3_extended_errcode(connection), systemErrno: sqlite3_system_errno(connection), path: path)
    }

    /// The cause behind an error that GRDB threw.
    static func grdb(_ error: any Error, path: String) -> VaultError {
        guard let error = error as? DatabaseError else { return .failed(code: SQLITE_INTERNAL) }
        return sqlite(code: error.extendedResultCode.rawValue, systemErrno: errno, path: path)
    }

    private static func sqlite(code: Int32, systemErrno: Int32, path: String) -> VaultError {
        switch code & 0xFF {
        case SQLITE_FULL: .storageFull
        case SQLITE_READONLY: code == ResultCode.SQLITE_READONLY_DBMOVED.rawValue ? .replaced(path: path) : .readOnly
        case SQLITE_BUSY, SQLITE_LOCKED: .held(processID: nil, program: nil)
        case SQLITE_CORRUPT: .damaged(part: "database page")
        case SQLITE_NOTADB: .notAVault(path: path)
        case SQLITE_PERM, SQLITE_AUTH: .permissionLost(path: path)
        case SQLITE_IOERR, SQLITE_CANTOPEN:
            switch systemErrno {
            case ENOSPC, EDQUOT, EFBIG, EROFS, EACCES, EPERM: system(systemErrno, path: path)
            default:
                code == ResultCode.SQLITE_IOERR_CORRUPTFS.rawValue
                    || code == ResultCode.SQLITE_IOERR_SHORT_READ.rawValue
                    ? .damaged(part: "database page") : .failed(code: code)
            }
        default: .failed(code: code)
        }
    }
}
