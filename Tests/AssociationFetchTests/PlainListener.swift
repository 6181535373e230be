// SPDX-License-Identifier: Apache-2.0
import Foundation
import Glibc
import Support

/// A TCP port of this machine that knows no TLS: it accepts connections and sends nothing, or sends a text and hangs
/// up.
final class PlainListener: Sendable {
    let port: Int
    private let descriptor: Int32

    init(sending text: String? = nil) throws {
        let listening = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = in_addr_t(0x7F00_0001).bigEndian
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let result = withUnsafeMutablePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                bind(listening, address, size) + listen(listening, 16) + getsockname(listening, address, &size)
            }
        }
        guard result == 0 else { throw SocketConnection.Failure.system(errno) }
        (port, descriptor) = (Int(UInt16(bigEndian: address.sin_port)), listening)
        guard let text else { return }
        Thread.detachNewThread {
            while true {
                let visitor = accept(listening, nil, nil)
                guard visitor >= 0 else { return }
                // Unread data when a socket closes resets it, and discards the text.
                var greeting = [UInt8](repeating: 0, count: 4096)
                recv(visitor, &greeting, greeting.count, 0)
                try? SocketConnection.send(Array(text.utf8), on: visitor)
                close(visitor)
            }
        }
    }

    deinit {
        // Wakes the thread that accepts.
        shutdown(descriptor, Int32(SHUT_RDWR))
        close(descriptor)
    }

    /// Whether a client has connected and was not accepted yet.
    var hasVisitor: Bool {
        var ready = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        return poll(&ready, 1, 0) == 1
    }
}
