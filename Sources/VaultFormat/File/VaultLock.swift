// SPDX-License-Identifier: Apache-2.0
internal import Credentials
internal import Glibc

/// The lock file: held with flock as long as the vault is open, with the holder as its content. The kernel releases it when the
/// process ends in any way, so a stale one never keeps anyone out.
final class VaultLock {
    private let descriptor: Int32

    /// Throws `held` with what the holder wrote about itself.
    init(path: String, program: String) throws(VaultError) {
        let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { throw .system(errno, path: path) }
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
            let number = errno
            let holder = Self.holder(descriptor)
            close(descriptor)
            throw number == EWOULDBLOCK
                ? .held(processID: holder.processID, program: holder.program) : .system(number, path: path)
        }
        self.descriptor = descriptor
        fchmod(descriptor, 0o600)
        // The content is for users; a full disk leaves it empty and the lock is as good.
        let line = Array("\(getpid()) \(program)\n".utf8)
        if ftruncate(descriptor, 0) == 0 { pwrite(descriptor, line, line.count, 0) }
    }

    /// Releases it explicitly: a child of this process that has not reached its exec yet still has the descriptor, and would
    /// hold the lock on.
    deinit {
        flock(descriptor, LOCK_UN)
        close(descriptor)
    }

    /// Whether a path names the file that is held.
    func isAt(_ path: String) -> Bool {
        var (held, there) = (stat(), stat())
        guard fstat(descriptor, &held) == 0, stat(path, &there) == 0 else { return false }
        return held.st_dev == there.st_dev && held.st_ino == there.st_ino
    }

    private static func holder(_ descriptor: Int32) -> (processID: Int32?, program: String?) {
        var bytes = [UInt8](repeating: 0, count: 256)
        let count = pread(descriptor, &bytes, bytes.count, 0)
        guard count > 0 else { return (nil, nil) }
        let line = String(decoding: bytes[..<count], as: UTF8.self).prefix { $0 != "\n" }
        let words = line.split(separator: " ", maxSplits: 1)
        return (words.first.flatMap { Int32($0) }, words.count > 1 ? String(words[1]) : nil)
    }
}
