// SPDX-License-Identifier: Apache-2.0
internal import CAutofillLinux
internal import Glibc
internal import PeerIdentity

/// A descriptor of `/proc/PID`. It is bound to that one process: once that has ended every look-up below it fails, and a
/// later process with the same number is never seen through it.
struct ProcessDirectory: ~Copyable {
    let descriptor: Int32

    init(process: Int32) throws(PeerRefusal) {
        descriptor = af_open_path(AT_FDCWD, "/proc/\(process)", true)
        switch -descriptor {
        case ENOENT, ESRCH: throw .ended
        case 1...: throw .fault(operation: "open /proc/PID", errno: -descriptor)
        default: break
        }
    }

    deinit { af_close(descriptor) }

    /// The file that the process runs now: one system call.
    func executable() throws(PeerRefusal) -> af_file {
        var file = af_file()
        try Self.check(af_stat_at(descriptor, "exe", true, &file), "executable")
        return file
    }

    /// A descriptor of that file, to look at and not to read.
    func openExecutable() throws(PeerRefusal) -> OpenFile {
        let file = af_open_path(descriptor, "exe", false)
        try Self.check(file, "executable")
        return OpenFile(descriptor: file)
    }

    /// A descriptor of that file, to read.
    func openExecutableContent() throws(PeerRefusal) -> OpenFile {
        let file = af_open_read(descriptor, "exe", true)
        try Self.check(file, "executable")
        return OpenFile(descriptor: file)
    }

    /// The text of the link to it: a hint.
    func executableLink() throws(PeerRefusal) -> [UInt8] {
        var length = 0
        let bytes = [UInt8](unsafeUninitializedCapacity: 4096) { buffer, count in
            length = af_read_link(descriptor, "exe", buffer.baseAddress, buffer.count)
            count = max(0, length)
        }
        try Self.check(Int32(clamping: length), "executable")
        return bytes
    }

    /// A small file's content; nil when it cannot be opened or is longer than `limit` bytes.
    func content(of path: String, limit: Int = 4096) -> [UInt8]? {
        let file = af_open_read(descriptor, path, false)
        guard file >= 0 else { return nil }
        return OpenFile(descriptor: file).content(limit: limit)
    }

    /// Whether the process sees the same file systems as one whose mount namespace has this inode.
    func sharesMounts(withNamespace inode: UInt64) -> Bool? {
        var file = af_file()
        guard af_stat_at(descriptor, "ns/mnt", true, &file) == 0 else { return nil }
        return file.inode == inode
    }

    private static func check(_ result: Int32, _ part: String) throws(PeerRefusal) {
        switch -result {
        case ENOENT, ESRCH: throw .ended
        case EACCES, EPERM: throw .unreadable(part)
        case 1...: throw .fault(operation: "reading the peer's \(part)", errno: -result)
        default: break
        }
    }
}

/// An open descriptor, closed when it goes.
struct OpenFile: ~Copyable {
    let descriptor: Int32

    deinit { af_close(descriptor) }

    func status() -> af_file? {
        var file = af_file()
        return af_stat(descriptor, &file) == 0 ? file : nil
    }

    /// All of it; nil when it is longer than `limit` bytes or cannot be read.
    func content(limit: Int) -> [UInt8]? {
        var length = 0
        let bytes = [UInt8](unsafeUninitializedCapacity: limit + 1) { buffer, count in
            length = af_read(descriptor, buffer.baseAddress, buffer.count)
            count = max(0, length)
        }
        return length < 0 || length > limit ? nil : bytes
    }
}

extension ExecutableIdentity {
    init(_ file: af_file) {
        self.init(device: file.device, inode: file.inode, size: file.size, modified: file.modified)
    }
}

extension ContentVersion {
    init(_ file: af_file) {
        self.init(identity: ExecutableIdentity(file), changed: file.changed)
    }
}

extension af_file {
    var isRegular: Bool { mode & S_IFMT == S_IFREG }
    var isSymbolicLink: Bool { mode & S_IFMT == S_IFLNK }
    var isDirectory: Bool { mode & S_IFMT == S_IFDIR }
}
