// SPDX-License-Identifier: Apache-2.0
import Dispatch
import Glibc
import Synchronization
import TestGround

/// The other end of a real socket, for what a correct daemon never does: it sends what a test scripts.
final class ScriptedService: Sendable {
    /// Returns the answer to the lines received so far, for each new line; nil ends the connection.
    typealias Script = @Sendable (_ lines: [String]) -> [String]?

    let directory: TemporaryDirectory
    private let listener: Int32
    private let received = Mutex<[String]>([])

    var socket: String { directory.path + "/socket" }
    /// The lines received.
    var lines: [String] { received.withLock { $0 } }

    /// - Parameter connections: the number that it accepts, each with the same script; it is retained until the last has ended.
    init(connections: Int = 1, _ script: @escaping Script) throws {
        directory = try TemporaryDirectory()
        listener = try UnixListener.make(at: directory.path + "/socket", backlog: 8)
        // Retained until the connections end, when the client closes them.
        DispatchQueue(label: "org.autofilld.test.service").async { [self, listener] in
            for _ in 0..<connections {
                let connection = accept(listener, nil, nil)
                guard connection >= 0 else { return }
                DispatchQueue(label: "org.autofilld.test.connection").async { self.serve(connection, script) }
            }
        }
    }

    private func serve(_ connection: Int32, _ script: Script) {
        var unread: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65536)
        serving: while case let count = recv(connection, &buffer, buffer.count, 0), count > 0 {
            unread += buffer[..<count]
            while let end = unread.firstIndex(of: UInt8(ascii: "\n")) {
                let line = String(decoding: unread[..<end], as: UTF8.self)
                unread.removeSubrange(...end)
                let all = received.withLock { lines in
                    lines.append(line)
                    return lines
                }
                guard let answers = script(all) else { break serving }
                let bytes = Array(answers.map { $0 + "\n" }.joined().utf8)
                _ = send(connection, bytes, bytes.count, Int32(MSG_NOSIGNAL))
            }
        }
        // Now, even if a process that was started meanwhile has a copy of it.
        shutdown(connection, Int32(SHUT_RDWR))
        close(connection)
    }

    deinit {
        shutdown(listener, Int32(SHUT_RDWR))
        close(listener)
    }

    /// The answer to `hello`, whose id is 1.
    static let greeting = """
        {"jsonrpc":"2.0","id":1,"result":{"protocol":1,"daemonVersion":"0.1.0","ephemeral":true,"capabilities":["later"],\
        "limits":{"lineBytes":65536,"answerBytes":8388608,"formFields":64,"waitingRequests":32,"passwordBytes":4096,"listLimit":500,"later":1},\
        "app":{"bundleID":"org.example.Shop","assurance":"claimed",\
        "registration":null,"associatedDomainCount":0,"reasonNames":[]},"vault":"unlocked",\
        "settings":{"keychain":true,"autoFill":true,"strongPasswords":true},"later":[]}}
        """
}

enum UnixListener {
    /// A listening socket with a queue for `backlog` connections and one more.
    static func make(at path: String, backlog: Int32) throws -> Int32 {
        let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        guard with(path, { bind(descriptor, $0, $1) }) == 0, listen(descriptor, backlog) == 0 else {
            throw SystemFailure(number: errno)
        }
        return descriptor
    }

    static func connect(to path: String) -> Int32 {
        let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        return with(path) { Glibc.connect(descriptor, $0, $1) } == 0 ? descriptor : -1
    }

    private static func with(_ path: String, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32) -> Int32 {
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
