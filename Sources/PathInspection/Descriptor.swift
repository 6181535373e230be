// SPDX-License-Identifier: Apache-2.0
internal import CAutofillLinux
package import Glibc

/// An open file, closed with its last user.
package final class Descriptor: Sendable {
    /// O_PATH: the location, not the content; needs no right to read, and opens nothing at a file system's server.
    /// Glibc's header hides it from Swift; the number is the kernel's for x86, Arm, RISC-V, PowerPC and s390
    /// (asm-generic/fcntl.h).
    package static let locate: Int32 = 0o10_000_000

    package let number: Int32

    /// Takes ownership of an open descriptor.
    package init(number: Int32) { self.number = number }

    deinit { close(number) }

    /// openat(2), never passed on to another program.
    ///
    /// - Parameter name: bytes without NUL.
    package static func open(
        _ name: some Collection<UInt8>, in directory: Descriptor? = nil, _ flags: Int32, mode: mode_t = 0
    ) throws(SystemCallFailure) -> Descriptor {
        guard !name.contains(0) else { throw SystemCallFailure(code: ENOENT) }
        let name = name.map { CChar(bitPattern: $0) } + [0]
        let number = openat(directory?.number ?? AT_FDCWD, name, flags | O_CLOEXEC, mode)
        guard number >= 0 else { throw SystemCallFailure() }
        return Descriptor(number: number)
    }

    /// openat(2), never passed on to another program.
    package static func open(
        _ name: String, in directory: Descriptor? = nil, _ flags: Int32, mode: mode_t = 0
    ) throws(SystemCallFailure) -> Descriptor {
        try open(name.utf8, in: directory, flags, mode: mode)
    }

    /// The very file of a descriptor that only locates, opened for reading; what else lies under its name by now does
    /// not matter.
    package func openedForReading() throws(SystemCallFailure) -> Descriptor {
        let number = af_open_again(number)
        guard number >= 0 else { throw SystemCallFailure(code: -number) }
        return Descriptor(number: number)
    }

    package func facts() throws(SystemCallFailure) -> FileFacts {
        var file = af_file()
        let result = af_stat(number, &file)
        return FileFacts(try Self.checked(result, file))
    }

    /// The file with the name, a link not followed.
    package func facts(of name: String) throws(SystemCallFailure) -> FileFacts {
        var file = af_file()
        let result = name.withCString { af_stat_at(number, $0, false, &file) }
        return FileFacts(try Self.checked(result, file))
    }

    /// What it is, and the mount by which it was opened.
    ///
    /// - Parameter askingServer: whether the server of its file system may be called, which has to be waited for; else
    ///   the data that the kernel has cached.
    package func inspect(askingServer: Bool) throws(SystemCallFailure) -> (facts: FileFacts, mount: Mount) {
        var file = af_file()
        let result = askingServer ? af_stat(number, &file) : af_stat_cached(number, &file)
        let checked = try Self.checked(result, file)
        return (FileFacts(checked), Mount(checked))
    }

    private static func checked(_ result: Int32, _ file: af_file) throws(SystemCallFailure) -> af_file {
        guard result == 0 else { throw SystemCallFailure(code: -result) }
        return file
    }

    /// The names in a directory that `isWanted`, in no order.
    package func names(where isWanted: (String) -> Bool) throws(SystemCallFailure) -> [String] {
        // A stream of its own: this descriptor may be one that cannot be read, and fdopendir(3) takes ownership of its
        // argument.
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

    /// Up to `limit` bytes, from the descriptor's position. Allocates memory for the content, not for the limit.
    package func read(atMost limit: Int) throws(SystemCallFailure) -> [UInt8] {
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: min(limit, 16 << 10))
        while bytes.count < limit {
            let step = try read(into: &chunk, atMost: min(chunk.count, limit - bytes.count))
            if step == 0 { break }
            bytes += chunk[..<step]
        }
        return bytes
    }

    /// The next bytes: how many; 0 at the end.
    package func read(into chunk: inout [UInt8], atMost limit: Int) throws(SystemCallFailure) -> Int {
        while true {
            let step = Glibc.read(number, &chunk, min(chunk.count, limit))
            if step >= 0 { return step }
            guard errno == EINTR else { throw SystemCallFailure() }
        }
    }

    package func write(_ bytes: [UInt8]) throws(SystemCallFailure) {
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
    package func synchronize() throws(SystemCallFailure) {
        guard fsync(number) == 0 else { throw SystemCallFailure() }
    }
}
