// SPDX-License-Identifier: Apache-2.0
internal import CAutofillLinux

/// A listening socket that systemd made and holds open while the service is away.
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
    /// `LISTEN_FDS` is no number, or names and sockets differ in count.
    case malformed(String)
    /// A descriptor is not a listening UNIX stream socket. The kernel's error number.
    case notAListener(name: String, errno: Int32)

    package var description: String {
        switch self {
        case .malformed(let why): "The sockets passed by the service manager cannot be counted: \(why)."
        case .notAListener(let name, _): "The socket \(name) passed by the service manager is no listening UNIX socket."
        }
    }
}

extension ServiceEnvironment {
    /// The sockets that this process, and no other, was started with (sd_listen_fds(3)); none when it was not activated.
    /// They are marked close-on-exec: to be called once, before any child is started.
    package func activationSockets() throws(ActivationError) -> [ActivationSocket] {
        guard let count = variables["LISTEN_FDS"], let process = variables["LISTEN_PID"],
            Int32(process) == processID
        else { return [] }
        guard let count = Int32(count), (0...1024).contains(count) else {
            throw .malformed("LISTEN_FDS is not a number")
        }
        let names = variables["LISTEN_FDNAMES"]?.split(separator: ":", omittingEmptySubsequences: false)
        guard names == nil || names?.count == Int(count) else {
            throw .malformed("LISTEN_FDNAMES does not name each of them")
        }
        var sockets: [ActivationSocket] = []
        for index in 0..<count {
            let name = names.map { String($0[Int(index)]) } ?? "unknown"
            let socket = ActivationSocket(name: name, descriptor: 3 + index)
            let result = af_take_listener(socket.descriptor)
            guard result == 0 else { throw .notAListener(name: name, errno: -result) }
            sockets.append(socket)
        }
        return sockets
    }
}
