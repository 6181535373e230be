// SPDX-License-Identifier: Apache-2.0
import AutofillProtocol
import Glibc
import Reasons
import SecretMemory

/// A file of 32 random bytes that opens a slot of the vault.
enum KeyFile {
    /// The key, from a plain file that only this user can read.
    static func read(_ path: String) throws(CommandFailure) -> SecretBytes {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { throw failure(path, String(cString: strerror(errno))) }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            throw failure(path, "it is not a plain file")
        }
        guard status.st_mode & 0o077 == 0 else {
            throw failure(path, "other users can read it", fix: "Run: chmod 600 \(path.printable.shellQuoted)")
        }
        guard status.st_size == Limits.keyBytes else {
            throw failure(path, "it is not exactly \(Limits.keyBytes) bytes")
        }
        return try SecretBytes(count: Limits.keyBytes) { memory throws(CommandFailure) in
            guard Glibc.read(descriptor, memory.baseAddress, memory.count) == memory.count else {
                throw failure(path, "it cannot be read")
            }
        }
    }

    /// The key in a file. A missing file is created, with its parent directories: mode 0600 whatever the umask, and
    /// durable on return.
    static func readOrCreate(_ path: String) throws(CommandFailure) -> (bytes: SecretBytes, isNew: Bool) {
        // A failure to create a directory is reported by open.
        for end in path.indices.dropFirst() where path[end] == "/" { mkdir(String(path[..<end]), 0o700) }
        let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else {
            if errno == EEXIST { return (try read(path), false) }
            throw CommandFailure(
                .system, "The key file \(path.printable) cannot be made: \(String(cString: strerror(errno)))",
                fix: "Choose a directory that you own")
        }
        defer { close(descriptor) }
        var entropy = SystemEntropy()
        let key = SecretBytes(count: Limits.keyBytes) { memory in
            for index in memory.indices { memory[index] = .random(in: .min ... .max, using: &entropy) }
        }
        let isWritten = key.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) == $0.count }
        guard isWritten, fchmod(descriptor, 0o600) == 0, fsync(descriptor) == 0, synchronizeFolder(of: path) else {
            let reason = String(cString: strerror(errno))
            unlink(path)
            throw CommandFailure(.system, "The key file \(path.printable) cannot be written: \(reason)")
        }
        return (key, true)
    }

    /// Handles a new key file after a change of the vault that failed: it is deleted only if certainly nothing was
    /// changed. Otherwise it may be the only key that opens the vault now.
    static func ended(_ path: String, by failure: CommandFailure) -> CommandFailure {
        if failure.provesNothingWasDone {
            unlink(path)
            return failure
        }
        return failure.adding(
            "The new key file \(path.printable) is kept: it may be the key that opens the vault now",
            fix:
                "Test it, and delete it only if it opens no slot: autofillctl vault slot list --key-file "
                + path.printable.shellQuoted
        )
    }

    /// Makes the new name durable.
    private static func synchronizeFolder(of path: String) -> Bool {
        let end = path.lastIndex(of: "/")
        let folder = end.map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? "."
        let descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { return false }
        defer { close(descriptor) }
        return fsync(descriptor) == 0
    }

    private static func failure(
        _ path: String, _ reason: String, fix: String = "Name the key file of this vault"
    ) -> CommandFailure {
        CommandFailure(.noInput, "The key file \(path.printable): \(reason)", fix: fix)
    }
}
