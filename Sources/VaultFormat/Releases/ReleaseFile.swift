// SPDX-License-Identifier: Apache-2.0
package import Credentials
internal import Glibc
package import SecretMemory

/// The file `vault.releases`, open, with all its space allocated: keeping a record needs no more space on the disk.
package final class ReleaseFile {
    /// Its capacity before it must be emptied, in bytes. The mark follows.
    package static let capacity = 256 << 10
    private static let length = capacity + 4096
    package let descriptor: Int32
    package let path: String

    /// Opens the file, and makes it where it is missing.
    package init(at path: String) throws(VaultError) {
        let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0o600)
        guard descriptor >= 0 else { throw .system(errno, path: path) }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            close(descriptor)
            throw .notPlain(path: path)
        }
        fchmod(descriptor, 0o600)
        let number = posix_fallocate(descriptor, 0, off_t(Self.length))
        guard number == 0 else {
            close(descriptor)
            throw .system(number, path: path)
        }
        self.descriptor = descriptor
        self.path = path
    }

    deinit { close(descriptor) }

    /// All but the mark; empty where it cannot be read.
    package var content: [UInt8] {
        var bytes = [UInt8](repeating: 0, count: Self.capacity)
        let count = pread(descriptor, &bytes, bytes.count, 0)
        return count < bytes.count ? Array(bytes.prefix(max(0, count))) : bytes
    }

    /// The releases of its entries from a number on, whatever they are linked to, in the order of their numbers.
    package func releases(from number: UInt64, key: SecretBytes) -> [Release] {
        content.withUnsafeBytes { bytes in
            ReleaseScan(bytes, numbers: number...ReleaseScan.numbers.upperBound, key: key).found.compactMap {
                guard case .release(let release, _) = $0.content else { return nil }
                return release
            }
        }
    }
}
