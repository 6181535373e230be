// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestGround

/// A connection to a port of 127.0.0.1.
final class TestConnection: Sendable {
    struct Answer: Sendable {
        let status: Int
        let head: String
        let body: String

        /// The body as an object.
        var object: [String: Any] {
            (try? JSONSerialization.jsonObject(with: Data(body.utf8))) as? [String: Any] ?? [:]
        }
    }

    private let socket: Int32

    init(to port: UInt16) throws {
        socket = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        let socket = socket
        let isConnected = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(socket, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
            }
        }
        guard isConnected else { throw SystemFailure(number: errno) }
        // A longer wait is a hang.
        var limit = timeval(tv_sec: 60, tv_usec: 0)
        setsockopt(socket, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
    }

    deinit { close(socket) }

    /// Sends all bytes, unless the server has ended the connection.
    func send(_ bytes: some Collection<UInt8>) {
        var rest = Array(bytes)[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.send(socket, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
            guard count > 0 else { return }
            rest = rest.dropFirst(count)
        }
    }

    func send(_ text: String) { send(Array(text.utf8)) }

    /// Ends what is sent; the answer can still be received.
    func endOutput() { shutdown(socket, Int32(SHUT_WR)) }

    /// Everything until the server ends the connection; status 0 where it sends nothing.
    func answer() throws -> Answer {
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = recv(socket, &buffer, buffer.count, 0)
            if count < 0, errno == ECONNRESET { break }
            guard count >= 0 else { throw SystemFailure(number: errno) }
            if count == 0 { break }
            bytes += buffer.prefix(count)
        }
        let text = String(decoding: bytes, as: UTF8.self)
        guard let end = text.range(of: "\r\n\r\n") else { return Answer(status: 0, head: text, body: "") }
        let head = String(text[..<end.lowerBound])
        return Answer(
            status: Int(head.split(separator: " ").dropFirst().first ?? "") ?? 0, head: head,
            body: String(text[end.upperBound...]))
    }
}
