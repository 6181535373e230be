// SPDX-License-Identifier: Apache-2.0
internal import Glibc

/// The socket on which the daemon listens.
package struct ServiceSocket: Sendable {
    /// nil if the environment names none.
    package let path: String?
    /// Whether this process is in a Flatpak or a snap.
    private let isSandboxed: Bool

    /// - Parameters:
    ///   - path: nil for `$AUTOFILLD_SOCKET`, else `$XDG_RUNTIME_DIR/autofilld/socket`.
    ///   - environment: returns the value of a variable.
    ///   - isSandboxed: whether the process is in a Flatpak or a snap.
    package init(path: String? = nil, environment: (String) -> String?, isSandboxed: Bool) {
        func value(_ name: String) -> String? { environment(name).flatMap { $0.isEmpty ? nil : $0 } }
        self.path =
            path ?? value("AUTOFILLD_SOCKET") ?? value("XDG_RUNTIME_DIR").map { "\($0)/autofilld/socket" }
        self.isSandboxed = isSandboxed
    }

    /// Returns the socket for the environment of this process.
    package static func ofThisProcess(path: String? = nil) -> ServiceSocket {
        func value(_ name: String) -> String? { getenv(name).map { String(cString: $0) } }
        return ServiceSocket(
            path: path, environment: value, isSandboxed: access("/.flatpak-info", F_OK) == 0 || getenv("SNAP") != nil)
    }

    /// Connects. While the listen queue of the daemon is full, it waits.
    ///
    /// - Parameter patience: the maximum time to wait; nil for none, then the socket has O_NONBLOCK.
    package func connect(within patience: Duration?) throws(ServiceAbsence) -> Int32 {
        guard let path else { throw .noSession }
        guard path.utf8.count < MemoryLayout.size(ofValue: sockaddr_un().sun_path) else {
            throw .pathTooLong
        }
        let kind = SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | (patience == nil ? SOCK_NONBLOCK.rawValue : 0)
        let descriptor = socket(AF_UNIX, Int32(kind), 0)
        guard descriptor >= 0 else { throw .noSocket }
        // On a Unix socket this limits the time that connect() waits while the listen queue is full (unix(7), SO_SNDTIMEO).
        if let patience { Self.limitWaiting(of: descriptor, to: patience) }
        guard Self.withAddress(path, { systemConnect(descriptor, $0, $1) }) == 0 else {
            let reason = reason(for: errno)
            close(descriptor)
            throw reason
        }
        if patience != nil { Self.limitWaiting(of: descriptor, to: .zero) }
        return descriptor
    }

    private func reason(for error: Int32) -> ServiceAbsence {
        switch error {
        case ECONNREFUSED: .notRunning
        case EACCES, EPERM: .notPermitted
        case EAGAIN, EINTR, ETIMEDOUT: .notResponding
        default: isSandboxed ? .notReachable : .notInstalled
        }
    }

    /// Zero is no limit.
    private static func limitWaiting(of descriptor: Int32, to patience: Duration) {
        let (seconds, attoseconds) = patience.components
        var time = timeval(tv_sec: Int(seconds), tv_usec: Int(attoseconds / 1_000_000_000_000))
        setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &time, socklen_t(MemoryLayout<timeval>.size))
    }

    /// Calls `body` with the address of a path that fits.
    private static func withAddress(
        _ path: String, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32
    ) -> Int32 {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
        return withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                body($0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
    }
}

/// connect(2), which has the name of a method here.
private func systemConnect(_ descriptor: Int32, _ address: UnsafePointer<sockaddr>, _ size: socklen_t) -> Int32 {
    connect(descriptor, address, size)
}
