// SPDX-License-Identifier: Apache-2.0
import Glibc

/// The socket on which a service reports that it is ready (sd_notify(3)).
final class NoticeSocket: Sendable {
    let descriptor: Int32

    init(at path: String) throws(ChildProcess.StartFailure) {
        var address = sockaddr_un()
        guard path.utf8.count < MemoryLayout.size(ofValue: address.sun_path) else {
            throw ChildProcess.StartFailure(text: "the path \(path) is too long for a socket")
        }
        unlink(path)
        descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue), 0)
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
        let isBound = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size)) == 0
            }
        }
        guard isBound else {
            throw ChildProcess.StartFailure(text: "\(path): \(String(cString: strerror(errno)))")
        }
    }

    deinit { close(descriptor) }

    /// Whether READY=1 was received.
    var isReady: Bool {
        var buffer = [UInt8](repeating: 0, count: 4096)
        while case let count = recv(descriptor, &buffer, buffer.count, 0), count > 0 {
            let notice = String(decoding: buffer[..<count], as: UTF8.self)
            if notice.split(separator: "\n").contains("READY=1") { return true }
        }
        return false
    }
}
