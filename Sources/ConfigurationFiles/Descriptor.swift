// SPDX-License-Identifier: Apache-2.0
import Glibc

/// An open file, closed with its last user.
final class Descriptor: Sendable {
    /// O_PATH: the place, not the content; needs no right to read. Glibc's header hides it from Swift; the number is the
    /// kernel's for x86, Arm, RISC-V, PowerPC and s390 (asm-generic/fcntl.h).
    static let locate: Int32 = 0o10_000_000

    let number: Int32

    private init(number: Int32) { self.number = number }

    deinit { close(number) }

    /// openat(2), never passed on to another program.
    static func open(
        _ name: String, in directory: Descriptor? = nil, _ flags: Int32, mode: mode_t = 0
    ) throws(SystemCallFailure) -> Descriptor {
        let number = openat(directory?.number ?? AT_FDCWD, name, flags | O_CLOEXEC, mode)
        guard number >= 0 else { throw SystemCallFailure() }
        return Descriptor(number: number)
    }

    func facts() throws(SystemCallFailure) -> FileFacts {
        var status = stat()
        guard fstat(number, &status) == 0 else { throw SystemCallFailure() }
        return FileFacts(status)
    }

    /// What stands under the name, a link not followed.
    func facts(of name: String) throws(SystemCallFailure) -> FileFacts {
        var status = stat()
        guard fstatat(number, name, &status, AT_SYMLINK_NOFOLLOW) == 0 else { throw SystemCallFailure() }
        return FileFacts(status)
    }

    /// The names in a directory that `isWanted`, in no order.
    func names(where isWanted: (String) -> Bool) throws(SystemCallFailure) -> [String] {
        // A stream of its own: this descriptor may be one that cannot be read, and fdopendir(3) takes what it is given.
        let number = openat(number, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard number >= 0 else { throw SystemCallFailure() }
        guard let stream = fdopendir(number) else {
            let failure = SystemCallFailure()
            close(number)
            throw failure
        }
        defer { closedir(stream) }
        var names: [String] = []
        while true {
            errno = 0
            guard let entry = readdir(stream) else { break }
            let length = MemoryLayout.size(ofValue: entry.pointee.d_name)
            let name = withUnsafePointer(to: &entry.pointee.d_name) { tuple in
                tuple.withMemoryRebound(to: CChar.self, capacity: length) { String(cString: $0) }
            }
            if isWanted(name) { names.append(name) }
        }
        guard errno == 0 else { throw SystemCallFailure() }
        return names
    }

    /// Up to `limit` bytes, from where the descriptor stands. Takes memory for what there is, not for the limit.
    func read(atMost limit: Int) throws(SystemCallFailure) -> [UInt8] {
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: min(limit, 16 << 10))
        while bytes.count < limit {
            let step = Glibc.read(number, &chunk, min(chunk.count, limit - bytes.count))
            if step > 0 {
                bytes += chunk[..<step]
            } else if step == 0 {
                break
            } else if errno != EINTR {
                throw SystemCallFailure()
            }
        }
        return bytes
    }

    func write(_ bytes: [UInt8]) throws(SystemCallFailure) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let step = rest.withUnsafeBytes { Glibc.write(number, $0.baseAddress, $0.count) }
            if step >= 0 {
                rest = rest.dropFirst(step)
            } else if errno != EINTR {
                throw SystemCallFailure()
            }
        }
    }

    /// fsync(2).
    func synchronize() throws(SystemCallFailure) {
        guard fsync(number) == 0 else { throw SystemCallFailure() }
    }
}
