// SPDX-License-Identifier: Apache-2.0
import Foundation
import Glibc

/// A plain blocking client of a Unix socket: what a program without any library is.
package final class SocketConnection {
    package enum Failure: Error { case system(Int32), closed, timedOut }

    package typealias Sender = (_ bytes: [UInt8], _ descriptors: [Int32]) throws -> Void

    package let descriptor: Int32
    /// What sends in this process's place, where the connection is another's.
    package var sender: Sender?
    /// What came, and where in it the next line begins.
    private var unread: [UInt8] = []
    private var start = 0
    private static let buffer = [UInt8](repeating: 0, count: 65536)
    private var schema = SchemaCheck()
    private var sample = SchemaSample()

    package init(to path: String, timeoutSeconds: Int = 120) throws {
        descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { throw Failure.system(errno) }
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8.prefix(107)) }
        let size = socklen_t(MemoryLayout<sockaddr_un>.size)
        let connected = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { connect(descriptor, $0, size) }
        }
        // All is initialised by now: deinit closes the descriptor.
        guard connected == 0 else { throw Failure.system(errno) }
        limitWaits(to: timeoutSeconds)
    }

    /// Uses a socket that is connected, and closes it at the end.
    package init(taking descriptor: Int32, timeoutSeconds: Int = 120) {
        self.descriptor = descriptor
        limitWaits(to: timeoutSeconds)
    }

    private func limitWaits(to timeoutSeconds: Int) {
        var limit = timeval(tv_sec: timeoutSeconds, tv_usec: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
        setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
    }

    deinit { close() }

    private var isOpen = true

    package func close() {
        if isOpen { Glibc.close(descriptor) }
        isOpen = false
    }

    /// No more will be sent; answers can still come.
    package func endInput() { shutdown(descriptor, Int32(SHUT_WR)) }

    package func send(_ bytes: [UInt8]) throws {
        schema.note(sent: bytes, &sample)
        if let sender { try sender(bytes, []) } else { try Self.send(bytes, on: descriptor) }
    }

    /// From another thread than the one that reads.
    package static func send(_ bytes: [UInt8], on descriptor: Int32) throws {
        var sent = 0
        while sent < bytes.count {
            let count = bytes[sent...].withUnsafeBytes {
                Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            if count < 0 {
                if errno == EINTR { continue }
                throw errno == EAGAIN ? Failure.timedOut : Failure.system(errno)
            }
            sent += count
        }
    }

    /// Sends a line.
    package func send(_ line: String) throws { try send(Array((line + "\n").utf8)) }

    /// The next line, held against the published schema; throws `closed` at the end.
    package func line() throws -> String {
        let line = try withNextLine { String(decoding: $0, as: UTF8.self) }
        try schema.hold(received: line, &sample)
        return line
    }

    /// The bytes of the next line, for who reads a million.
    package func withNextLine<Result>(_ body: (UnsafeRawBufferPointer) throws -> Result) throws -> Result {
        var searched = start
        while true {
            let end: Int? = unread.withUnsafeBytes { bytes in
                guard let base = bytes.baseAddress, let found = memchr(base + searched, 0x0A, bytes.count - searched)
                else {
                    return nil
                }
                return base.distance(to: UnsafeRawPointer(found))
            }
            if let end {
                defer { start = end + 1 }
                return try unread.withUnsafeBytes { try body(UnsafeRawBufferPointer(rebasing: $0[start..<end])) }
            }
            unread.removeFirst(start)
            (start, searched) = (0, unread.count)
            let before = unread.count
            unread += Self.buffer
            let count = unread.withUnsafeMutableBytes { bytes in
                recv(
                    descriptor, UnsafeMutableRawBufferPointer(rebasing: bytes[before...]).baseAddress,
                    Self.buffer.count,
                    0)
            }
            let error = errno
            unread.removeLast(Self.buffer.count - max(count, 0))
            if count == 0 { throw Failure.closed }
            if count < 0 && error != EINTR { throw error == EAGAIN ? Failure.timedOut : Failure.system(error) }
        }
    }

    /// Sends a line and reads the next one.
    package func exchange(_ line: String) throws -> String {
        try send(line)
        return try self.line()
    }

    private var lastID = 0

    /// Calls a method; the answer as Foundation reads it.
    @discardableResult
    package func call(_ method: String, _ parameters: [String: Any] = [:]) throws -> TestAnswer {
        lastID += 1
        let request: [String: Any] = ["jsonrpc": "2.0", "id": lastID, "method": method, "params": parameters]
        let line = try JSONSerialization.data(withJSONObject: request, options: [.withoutEscapingSlashes])
        return try TestAnswer(try exchange(String(decoding: line, as: UTF8.self)))
    }

    /// Sends hello as an app.
    @discardableResult
    package func hello(_ bundleID: String = "org.example.Shop") throws -> TestAnswer {
        try call("hello", ["bundleID": bundleID, "protocol": ["min": 1, "max": 1]])
    }
}
