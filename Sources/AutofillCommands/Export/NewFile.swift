// SPDX-License-Identifier: Apache-2.0
import CAutofillLinux
import Glibc
import SecretMemory
import Synchronization

/// A file that gets its name only when it is whole and on the disk, readable by this user alone. Until then it has no name where
/// the file system can do that, and vanishes with this process; elsewhere a hidden one in the same directory.
final class NewFile {
    let descriptor: Int32
    private let path: String
    private let directory: String
    private let hidden: String
    private var hasHiddenName = false

    init(_ path: String) throws(CommandFailure) {
        let end = path.lastIndex(of: "/")
        directory = end.map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? "."
        self.path = path
        hidden = Self.hiddenPath(in: directory)
        var file = open(directory, Self.unnamed | O_WRONLY | O_CLOEXEC, 0o600)
        if file < 0, [EOPNOTSUPP, EISDIR, EINVAL].contains(errno) {
            file = open(hidden, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
            hasHiddenName = file >= 0
        }
        descriptor = file
        guard file >= 0 else { throw Self.failure(path, errno) }
        fchmod(file, 0o600)
    }

    deinit {
        if hasHiddenName { unlink(hidden) }
        if descriptor >= 0 { close(descriptor) }
    }

    /// Whether other users can read it, whatever its mode should be: a memory stick's file system has none.
    var isReadableByOthers: Bool {
        var status = stat()
        return fstat(descriptor, &status) != 0 || status.st_mode & 0o077 != 0
    }

    /// A signal that ends this program removes its hidden name: the one that it has from the beginning, or gets where it is to
    /// replace another file.
    func catchInterruptions() throws(CommandFailure) {
        let hidden = hidden
        try Interruption.catch {
            NewFile.naming.withLock { _ in
                unlink(hidden)
                _exit(ExitStatus.interrupted.rawValue)
            }
        }
    }

    /// Gives it its name.
    ///
    /// - Parameter replacing: whether it may replace another file.
    func publish(replacing: Bool) throws(CommandFailure) {
        guard fsync(descriptor) == 0 else { throw Self.failure(path, errno) }
        try finish(Self.naming.withLock { _ in name(replacing: replacing) })
    }

    /// - Returns: 0, or the number of the error.
    private func name(replacing: Bool) -> Int32 {
        if !hasHiddenName {
            let number = link(as: replacing ? hidden : path)
            guard replacing, number == 0 else { return number }
            hasHiddenName = true
        }
        let number = replacing ? rename(hidden, path) == 0 ? 0 : errno : -af_rename_new(hidden, path)
        if number == 0 { hasHiddenName = false }
        return number
    }

    private func link(as name: String) -> Int32 {
        linkat(AT_FDCWD, "/proc/self/fd/\(descriptor)", AT_FDCWD, name, AT_SYMLINK_FOLLOW) == 0 ? 0 : errno
    }

    /// Makes the name durable.
    private func finish(_ number: Int32) throws(CommandFailure) {
        guard number == 0 else { throw number == EEXIST ? Self.exists(path) : Self.failure(path, number) }
        let folder = open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        defer { if folder >= 0 { close(folder) } }
        guard folder >= 0, fsync(folder) == 0 else { throw Self.failure(path, errno) }
    }

    /// Throws where a file of that name could not be made, before anything is asked for.
    static func check(_ path: String, replacing: Bool) throws(CommandFailure) {
        var status = stat()
        guard lstat(path, &status) == 0 else { return }
        guard replacing else { throw exists(path) }
        guard status.st_mode & S_IFMT == S_IFREG else {
            throw CommandFailure(.system, "\(path.printable) is not a plain file", fix: "Choose another name")
        }
    }

    private static func exists(_ path: String) -> CommandFailure {
        CommandFailure(
            .refused, "\(path.printable) exists; nothing was written", fix: "Choose another name, or add --force")
    }

    static func failure(_ path: String, _ number: Int32) -> CommandFailure {
        CommandFailure(.system, "\(path.printable) cannot be written: \(String(cString: strerror(number)))")
    }

    private static func hiddenPath(in directory: String) -> String {
        var entropy = SystemEntropy()
        return "\(directory)/.autofillctl-\(String(UInt64.random(in: .min ... .max, using: &entropy), radix: 36))"
    }

    /// Held while a file changes its names, which an interruption does not divide.
    private static let naming = Mutex(())

    /// O_TMPFILE, which glibc's headers show only with _GNU_SOURCE.
    private static let unnamed: Int32 = 0o20_000_000 | O_DIRECTORY
}
