// SPDX-License-Identifier: Apache-2.0
package import Credentials
internal import Glibc
internal import VaultFormat

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
