// SPDX-License-Identifier: Apache-2.0
package import Credentials
internal import Glibc
package import SecretMemory
internal import VaultFormat

/// A file of 32 random bytes that opens a slot. On the disk of the vault it guards only against other users.
package enum KeyFile {
    /// The name of the credential that systemd passes.
    package static let credentialName = "autofilld.vault-key"

    /// The path of the key that systemd passed, where there is one; `directory` is `$CREDENTIALS_DIRECTORY`.
    package static func path(inCredentialsDirectory directory: String?) -> String? {
        guard let directory, !directory.isEmpty else { return nil }
        let path = directory + "/" + credentialName
        return access(path, F_OK) == 0 ? path : nil
    }

    /// The key. The file must be plain, the user's own or root's, closed to group and others, and 32 bytes long.
    package static func read(_ path: String) throws(VaultError) -> SecretBytes {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { throw .keyFile(path: path, errno == ENOENT ? .absent : .unreadable) }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw .keyFile(path: path, .unreadable) }
        guard status.st_mode & S_IFMT == S_IFREG else { throw .keyFile(path: path, .notAFile) }
        guard status.st_uid == geteuid() || status.st_uid == 0 else { throw .keyFile(path: path, .foreignOwner) }
        guard status.st_mode & 0o077 == 0 else { throw .keyFile(path: path, .openToOthers) }
        guard status.st_size == 32 else { throw .keyFile(path: path, .wrongLength) }
        return try SecretBytes(count: 32) { memory throws(VaultError) in
            guard pread(descriptor, memory.baseAddress, 32, 0) == 32 else { throw .keyFile(path: path, .unreadable) }
        }
    }

    /// Makes a new key, durable on return and 0600 whatever the umask; never over a file that is there.
    package static func create(
        _ path: String, using entropy: inout some RandomNumberGenerator
    ) throws(VaultError) -> SecretBytes {
        let key = SecretBytes(random: 32, using: &entropy)
        let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else {
            throw errno == EEXIST ? .keyFile(path: path, .present) : .system(errno, path: path)
        }
        defer { close(descriptor) }
        let isWritten = key.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) == $0.count }
        guard isWritten, fchmod(descriptor, 0o600) == 0, fsync(descriptor) == 0 else {
            let number = errno
            unlink(path)
            throw .system(number, path: path)
        }
        try VaultDirectory.synchronize(VaultDirectory.parent(of: path))
        return key
    }
}
