// SPDX-License-Identifier: Apache-2.0
internal import CSQLite
internal import Glibc

extension VaultError {
    /// The cause behind an errno of a call on `path`.
    static func system(_ number: Int32, path: String) -> VaultError {
        switch number {
        case ENOSPC, EDQUOT, EFBIG: .storageFull
        case EROFS: .readOnly
        case EACCES, EPERM: .permissionLost(path: path)
        case ENOENT, ENOTDIR: .absent(path: path)
        case EISDIR: .notPlain(path: path)
        default: .failed(code: number)
        }
    }

    /// The cause behind the last error of a connection.
    static func sqlite(_ connection: OpaquePointer?, path: String) -> VaultError {
        sqlite(
            code: sqlite3_extended_errcode(connection), systemErrno: sqlite3_system_errno(connection), path: path)
    }

    private static func sqlite(code: Int32, systemErrno: Int32, path: String) -> VaultError {
        switch code & 0xFF {
        case SQLITE_FULL: .storageFull
        case SQLITE_READONLY: code == af_sqlite_readonly_moved ? .replaced(path: path) : .readOnly
        case SQLITE_BUSY, SQLITE_LOCKED: .held(processID: nil, program: nil)
        case SQLITE_CORRUPT: .damaged(part: "database page")
        case SQLITE_NOTADB: .notAVault(path: path)
        case SQLITE_PERM, SQLITE_AUTH: .permissionLost(path: path)
        case SQLITE_IOERR, SQLITE_CANTOPEN:
            switch systemErrno {
            case ENOSPC, EDQUOT, EFBIG, EROFS, EACCES, EPERM: system(systemErrno, path: path)
            default:
                code == af_sqlite_corrupt_file_system || code == af_sqlite_short_read
                    ? .damaged(part: "database page") : .failed(code: code)
            }
        default: .failed(code: code)
        }
    }
}

extension VaultError {
    /// What fixes the permissions of a path, or of a folder above it, for the user.
    package static func advice(onPermissionsOf path: String) -> String {
        var status = stat()
        if stat(path, &status) != 0 {
            let folder = VaultDirectory.parent(of: path)
            return errno == EACCES && folder != path
                ? advice(onPermissionsOf: folder) : "See who may use \(path): ls -ld \(path)"
        }
        guard status.st_uid == geteuid() else {
            return
                "Have the administrator run chown \(geteuid()) \(path), which belongs to another user (\(status.st_uid))"
        }
        return "Run chmod u+rw\(status.st_mode & S_IFMT == S_IFDIR ? "x" : "") \(path)"
    }
}
