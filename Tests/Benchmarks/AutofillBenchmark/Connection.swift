// SPDX-License-Identifier: Apache-2.0
import Foundation

/// Something went wrong with what is measured, not with a figure.
struct BenchmarkFault: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}

/// A blocking client with as little of its own as can be: a descriptor, `send` and `recv`. Used by one thread at a
/// time.
final class Connection: @unchecked Sendable {
    let descriptor: Int32
    /// Runs as long as there is a connection.
    private let server: Server?
    private var buffer = [UInt8](repeating: 0, count: 1 << 17)

    convenience init(to server: Server) throws { try self.init(to: server.socket, of: server) }

    init(to path: String, of server: Server? = nil) throws {
        self.server = server
        descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8.prefix(107)) }
        let size = socklen_t(MemoryLayout<sockaddr_un>.size)
        let result = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { connect(descriptor, $0, size) }
        }
        guard result == 0 else { throw BenchmarkFault("connect \(path): \(String(cString: strerror(errno)))") }
        var limit = timeval(tv_sec: 60, tv_usec: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
    }

    deinit { close(descriptor) }

    /// Sends all of it.
    func write(_ line: [UInt8]) throws {
        let sent = line.withUnsafeBytes { send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
        guard sent == line.count else { throw BenchmarkFault("send: \(String(cString: strerror(errno)))") }
    }

    /// Sends what the socket accepts at once.
    func writeSome(_ line: [UInt8]) {
        let flags = Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT)
        line.withUnsafeBytes { _ = send(descriptor, $0.baseAddress, $0.count, flags) }
    }

    /// Sends lines and waits for as many answers; their length. Throws where one line's answer is an error.
    @discardableResult
    func exchange(_ line: [UInt8], answers: Int = 1, refusalIsExpected: Bool = false) throws -> Int {
        try write(line)
        var (count, lines) = (0, 0)
        while lines < answers {
            let start = count
            let received = buffer.withUnsafeMutableBytes { bytes in
                recv(descriptor, bytes.baseAddress.map { $0 + start }, bytes.count - start, 0)
            }
            guard received > 0 else { throw BenchmarkFault("recv: \(String(cString: strerror(errno)))") }
            lines += buffer[start..<start + received].count { $0 == 0x0A }
            count += received
        }
        if !refusalIsExpected, Self.isError(buffer[..<count]) {
            throw BenchmarkFault(String(decoding: buffer[..<count], as: UTF8.self))
        }
        return count
    }

    /// Whether one line's answer is an error.
    func isRefused(_ line: [UInt8]) throws -> Bool {
        Self.isError(buffer[..<(try exchange(line, refusalIsExpected: true))])
    }

    /// The same, and what was received.
    func answer(_ line: [UInt8]) throws -> String {
        let count = try exchange(line)
        return String(decoding: buffer[..<count], as: UTF8.self)
    }

    /// The same for an answer of any length, an error or not.
    func longAnswer(_ line: [UInt8]) throws -> String {
        try write(line)
        var answer: [UInt8] = []
        while answer.last != 0x0A {
            let received = recv(descriptor, &buffer, buffer.count, 0)
            guard received > 0 else { throw BenchmarkFault("recv: \(String(cString: strerror(errno)))") }
            answer += buffer[..<received]
        }
        return String(decoding: answer, as: UTF8.self)
    }

    /// `{"jsonrpc":"2.0","id":1,"error"…`: the id in all requests here has one digit.
    private static func isError(_ answer: ArraySlice<UInt8>) -> Bool {
        answer.count > 26 && answer[25] == UInt8(ascii: "e") && answer[0] == UInt8(ascii: "{")
    }
}

enum Descriptors {
    /// The administrator's limit for this user; for root as many as ten thousand clients need, on both sides.
    static func raiseLimit() {
        var limit = rlimit()
        getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
        if limit.rlim_max < 45_000 {
            var more = rlimit(rlim_cur: 45_000, rlim_max: 45_000)
            if setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &more) == 0 { return }
        }
        limit.rlim_cur = limit.rlim_max
        setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
    }

    static var limit: Int {
        var limit = rlimit()
        getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
        return Int(clamping: limit.rlim_cur)
    }
}
