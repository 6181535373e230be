// SPDX-License-Identifier: Apache-2.0
internal import Glibc

/// The file `vault.releases`, open, with all its space set aside: whoever has it needs no more room to keep a record.
final class ReleaseFile {
    /// The size of the file: what fits before it must be emptied.
    static let capacity = 256 << 10
    let descriptor: Int32
    let path: String

    /// Opens the file, and makes it where it is missing.
    init(at path: String) throws(VaultError) {
        let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { throw .system(errno, path: path) }
        fchmod(descriptor, 0o600)
        let number = posix_fallocate(descriptor, 0, off_t(Self.capacity))
        guard number == 0 else {
            close(descriptor)
            throw .system(number, path: path)
        }
        self.descriptor = descriptor
        self.path = path
    }

    deinit { close(descriptor) }
}
