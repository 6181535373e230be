// SPDX-License-Identifier: Apache-2.0
import EventLoop
import Glibc
import TestGround
import Testing

/// A Unix domain socket on a test's loop that plays `autofill-associations`, one connection at a time.
final class AssociationServer {
    let path: String
    /// What it was sent.
    private(set) var lines = ""
    private var isLeft = false
    /// Its action after it has received a line.
    var answer: (AssociationServer) -> Void = { _ in }

    private let listener: Int32
    private let loop: EventLoop
    private var connection: Int32 = -1
    private var sources: [IOSource] = []

    init(on loop: EventLoop, in directory: TemporaryDirectory, backlog: Int32 = 8) throws {
        self.loop = loop
        path = "\(directory.path)/socket"
        listener = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue), 0)
        try #require(withAddress(of: path) { bind(listener, $0, $1) } == 0)
        try #require(listen(listener, backlog) == 0)
    }

    deinit {
        sources = []
        if connection >= 0 { close(connection) }
        close(listener)
    }

    /// Begins to accept.
    func start() throws {
        sources = [
            try IOSource(on: loop, descriptor: listener, events: .readable) { [unowned self] _ in try? accept() }
        ]
    }

    /// Whether the other end closes the connection. Waited for: a program that another test starts at this moment may
    /// hold the descriptor a little longer.
    func isHungUpOn() throws -> Bool { try loop.run(until: { isLeft }) }

    func respond(_ bytes: [UInt8]) {
        let sent = bytes.withUnsafeBytes {
            send(connection, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL | MSG_DONTWAIT))
        }
        #expect(sent == bytes.count)
    }

    func hangUp() {
        sources.removeLast()
        // A program that another test starts at this moment may hold the descriptor a little longer.
        shutdown(connection, Int32(SHUT_RDWR))
        close(connection)
        connection = -1
    }

    private func accept() throws {
        connection = Glibc.accept(listener, nil, nil)
        _ = fcntl(connection, F_SETFD, FD_CLOEXEC)
        sources.append(
            try IOSource(on: loop, descriptor: connection, events: .readable) { [unowned self] _ in receive() })
    }

    private func receive() {
        var buffer = [UInt8](repeating: 0, count: 4096)
        let count = recv(connection, &buffer, buffer.count, Int32(MSG_DONTWAIT))
        guard count > 0 else {
            isLeft = true
            return hangUp()
        }
        lines += String(decoding: buffer[..<count], as: UTF8.self)
        if lines.hasSuffix("\n") { answer(self) }
    }
}

/// Connects, and keeps the connection waiting: nil where the backlog is full.
func connection(to path: String) -> Int32? {
    let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue), 0)
    if withAddress(of: path, { connect(descriptor, $0, $1) }) == 0 { return descriptor }
    close(descriptor)
    return nil
}

private func withAddress(of path: String, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32) -> Int32 {
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
    return withUnsafePointer(to: address) { address in
        address.withMemoryRebound(to: sockaddr.self, capacity: 1) {
            body($0, socklen_t(MemoryLayout<sockaddr_un>.size))
        }
    }
}
