// SPDX-License-Identifier: Apache-2.0
internal import CAutofillLinux
internal import Glibc
internal import PathInspection
internal import PeerIdentity

/// A descriptor of `/proc/PID`. It is bound to that one process: once that has ended every look-up below it fails, and
/// a later process with the same number is never seen through it.
///
/// No inspection waits for the file system that the process runs from. Opening with O_PATH and AT_STATX_DONT_SYNC call
/// no FUSE and no NFS server; the link `exe` resolves to the file itself, without looking up its name again.
struct ProcessDirectory: Sendable {
    let descriptor: Descriptor

    init(process: Int32) throws(PeerRefusal) { try self.init(at: "/proc/\(process)") }

    init(at path: String) throws(PeerRefusal) {
        do {
            descriptor = try Descriptor.open(path, Descriptor.locate | O_DIRECTORY)
        } catch {
            throw error.code == ENOENT || error.code == ESRCH
                ? .ended : .fault(operation: "open /proc/PID", errno: error.code)
        }
    }

    /// The file that the process runs now: one system call, which never blocks.
    func executable() throws(PeerRefusal) -> ExecutableIdentity {
        var file = af_file()
        try Self.check(af_stat_cached_at(descriptor.number, "exe", true, &file), "executable")
        return ExecutableIdentity(
            device: file.device, inode: file.inode, size: file.size, modified: file.modified)
    }

    /// A descriptor of that file, for inspection and not for reading.
    func locateExecutable() throws(PeerRefusal) -> Descriptor {
        do {
            return try Descriptor.open("exe", in: descriptor, Descriptor.locate)
        } catch {
            throw Self.refusal(error.code, "executable")
        }
    }

    /// The text of the link to it: a hint.
    func executableLink() throws(PeerRefusal) -> [UInt8] {
        let (bytes, length) = link("exe")
        try Self.check(Int32(clamping: length), "executable")
        return bytes
    }

    /// Where its relative paths begin; nil where that cannot be read.
    func workingDirectory() -> [UInt8]? {
        let (bytes, length) = link("cwd")
        return length > 0 ? bytes : nil
    }

    /// Whether it has another root directory than this process.
    var hasOtherRoot: Bool {
        let (bytes, length) = link("root")
        return length < 0 || bytes != [UInt8(ascii: "/")]
    }

    private func link(_ name: String) -> (bytes: [UInt8], length: Int) {
        var length = 0
        let bytes = [UInt8](unsafeUninitializedCapacity: 4096) { buffer, count in
            length = af_read_link(descriptor.number, name, buffer.baseAddress, buffer.count)
            count = max(0, length)
        }
        return (bytes, length)
    }

    /// Its arguments, if they fit into 4 KiB; nil where they cannot be read. They are in its own memory: it can write
    /// them. From Linux 4.17 the kernel reads none from a file, so no server of one is waited for; nor for a userfaultfd.
    func arguments() -> [[UInt8]]? {
        guard let file = try? Descriptor.open("cmdline", in: descriptor, O_RDONLY | O_NOFOLLOW),
            let bytes = try? file.read(atMost: 4096), let end = bytes.lastIndex(of: 0)
        else { return nil }
        return bytes[..<end].split(separator: 0, omittingEmptySubsequences: false).map { Array($0) }
    }

    /// The content of a small file of `/proc`; nil when it cannot be opened or is longer than 4 KiB.
    func content(of name: String) -> [UInt8]? {
        let limit = 4096
        guard let file = try? Descriptor.open(name, in: descriptor, O_RDONLY | O_NOFOLLOW),
            let bytes = try? file.read(atMost: limit + 1), bytes.count <= limit
        else { return nil }
        return bytes
    }

    /// Its position in the tree of control groups; nil where that cannot be read.
    var controlGroup: ControlGroup? { content(of: "cgroup").flatMap { ControlGroup(procFile: $0) } }

    /// The identity of its namespace of a kind (`mnt`, `user`, `pid`): an inode; nil where that cannot be read.
    func namespace(_ kind: String) -> UInt64? {
        var file = af_file()
        return af_stat_at(descriptor.number, "ns/\(kind)", true, &file) == 0 ? file.inode : nil
    }

    /// The same of the process with the `/proc` directory at a path.
    static func namespace(_ kind: String, at path: String) -> UInt64? {
        var file = af_file()
        return af_stat_at(AT_FDCWD, "\(path)/ns/\(kind)", true, &file) == 0 ? file.inode : nil
    }

    private static func check(_ result: Int32, _ file: String) throws(PeerRefusal) {
        if result < 0 { throw refusal(-result, file) }
    }

    private static func refusal(_ code: Int32, _ file: String) -> PeerRefusal {
        switch code {
        case ENOENT, ESRCH: .ended
        case EACCES, EPERM: .unreadable(file)
        default: .fault(operation: "reading the peer's \(file)", errno: code)
        }
    }
}

extension ExecutableIdentity {
    init(_ facts: FileFacts) {
        self.init(device: facts.device, inode: facts.inode, size: facts.size, modified: facts.modified)
    }
}

extension ContentVersion {
    init(_ facts: FileFacts) {
        self.init(identity: ExecutableIdentity(facts), changed: facts.changed)
    }
}
