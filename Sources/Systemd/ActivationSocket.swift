// SPDX-License-Identifier: Apache-2.0
internal import CSystemd
internal import Glibc

/// A listening socket that systemd created and holds open while the service does not run.
package struct ActivationSocket: Hashable, Sendable {
    /// `FileDescriptorName=` of its unit; `unknown` where none was given.
    package let name: String
    package let descriptor: Int32

    package init(name: String, descriptor: Int32) {
        self.name = name
        self.descriptor = descriptor
    }
}

/// Why the sockets that were passed cannot be served.
package enum ActivationError: Error, Hashable, Sendable, CustomStringConvertible {
    /// `LISTEN_FDS` is no number, or the counts of names and sockets differ: libsystemd's error text.
    case malformed(String)
    /// A descriptor is not a listening UNIX stream socket. The kernel's error number; EPROTOTYPE for another kind of
    /// file.
    case notAListener(name: String, errno: Int32)

    package var description: String {
        switch self {
        case .malformed(let why): "The sockets passed by the service manager cannot be counted: \(why)."
        case .notAListener(let name, _): "The socket \(name) passed by the service manager is no listening UNIX socket."
        }
    }
}

extension ServiceEnvironment {
    /// The sockets that were passed to this process (sd_listen_fds(3)); none if it was not activated by a socket. They
    /// are marked close-on-exec: call this once, before any child is started.
    package func activationSockets() throws(ActivationError) -> [ActivationSocket] {
        var names: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
        let count = sd_listen_fds_with_names(0, &names)
        defer {
            for index in 0..<Int(max(0, count)) { free(names?[index]) }
            free(names)
        }
        guard count >= 0 else { throw .malformed(String(cString: strerror(-count))) }
        var sockets: [ActivationSocket] = []
        for index in 0..<count {
            let name = names?[Int(index)].map { String(cString: $0) } ?? "unknown"
            let descriptor = SD_LISTEN_FDS_START + index
            let result = sd_is_socket_unix(descriptor, Int32(SOCK_STREAM.rawValue), 1, nil, 0)
            guard result > 0 else { throw .notAListener(name: name, errno: result < 0 ? -result : EPROTOTYPE) }
            sockets.append(ActivationSocket(name: name, descriptor: descriptor))
        }
        return sockets
    }
}
