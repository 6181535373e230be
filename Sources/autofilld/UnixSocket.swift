// SPDX-License-Identifier: Apache-2.0
#if canImport(Glibc)
    internal import Glibc
#endif

/// A listening socket that the daemon makes itself, for its user alone whatever the umask.
struct UnixSocket {
    let descriptor: Int32
    private let path: String

    init(listeningAt path: String) throws(DaemonFailure) {
        self.path = path
        guard path.utf8.count < 108 else {
            throw .usage("the path of --socket has over 107 bytes: choose a shorter one")
        }
        try Self.removeStale(at: path)
        descriptor = Glibc.socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { throw Self.failure("socket", path) }
        let mask = umask(0o177)
        let bound = Self.withAddress(path) { bind(descriptor, $0, $1) }
        umask(mask)
        guard bound == 0 else { throw Self.failure("bind", path) }
        guard listen(descriptor, 4096) == 0 else { throw Self.failure("listen", path) }
    }

    /// Removes the name, for the next start.
    func remove() { unlink(path) }

    /// Removes what a killed daemon left; never a socket that still answers, and never another kind of file.
    private static func removeStale(at path: String) throws(DaemonFailure) {
        var status = stat()
        guard lstat(path, &status) == 0 else { return }
        guard status.st_mode & S_IFMT == S_IFSOCK else { throw .usage("\(path) is there and is no socket") }
        let kind = SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue
        let probe = Glibc.socket(AF_UNIX, Int32(kind), 0)
        guard probe >= 0 else { throw failure("socket", path) }
        defer { close(probe) }
        let error = withAddress(path) { connect(probe, $0, $1) } == 0 ? 0 : errno
        switch error {
        // EAGAIN: the backlog of that socket is full.
        case 0, EAGAIN: throw .held("another daemon answers at \(path): stop it, or choose another --socket")
        case ECONNREFUSED: unlink(path)
        case ENOENT: break
        default: throw failure("connect", path, error)
        }
    }

    private static func withAddress(
        _ path: String, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32
    ) -> Int32 {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
        return withUnsafeBytes(of: &address) { bytes in
            guard let start = bytes.baseAddress else { return -1 }
            return body(start.assumingMemoryBound(to: sockaddr.self), socklen_t(bytes.count))
        }
    }

    private static func failure(_ operation: String, _ path: String, _ error: Int32 = errno) -> DaemonFailure {
        .system("\(operation) \(path): \(String(cString: strerror(error)))")
    }
}
