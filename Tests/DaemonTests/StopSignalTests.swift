// SPDX-License-Identifier: Apache-2.0
import Foundation
import Glibc
import Support
import TestGround
import Testing

@Suite("Signals at the end of the daemon, and a socket at its start", .serialized, .blocking)
struct StopSignalTests {
    @Test("Further signals change nothing: all answers are sent, and the manager gets no further notice of readiness")
    func again() throws {
        let folder = try TemporaryDirectory()
        let manager = try datagramSocket(at: folder.path + "/notify")
        defer { close(manager) }
        let daemon = try DaemonProcess(environment: ["NOTIFY_SOCKET": folder.path + "/notify"])
        let client = try SocketConnection(to: daemon.socket)
        try client.hello()
        // Few requests with long answers, some 200 KB each: much more than the socket's buffers hold, also on a busy machine.
        let count = 15
        var lines = ""
        for number in 0..<count { lines += #"{"jsonrpc":"2.0","id":\#(number),"method":"rpc.discover"}"# + "\n" }
        try client.send(Array(lines.utf8))
        _ = try client.line()
        for signal in [SIGTERM, SIGINT, SIGHUP] { kill(daemon.process.processIdentifier, signal) }
        var answers = 1
        // Not parsed: the daemon waits for a client that takes something at least every half second.
        while (try? client.withNextLine { _ in }) != nil { answers += 1 }
        #expect(answers == count)
        daemon.process.waitUntilExit()
        #expect(daemon.process.terminationReason == .exit && daemon.process.terminationStatus == 0)
        let notices = messages(manager)
        let stop = try #require(notices.firstIndex { $0.contains("STOPPING=1") })
        #expect(!notices[stop...].contains { $0.contains("READY=1") || $0.contains("RELOADING=1") }, "\(notices)")
    }

    @Test("A daemon does not replace the socket of another that is too busy to answer")
    func busySocket() throws {
        let folder = try TemporaryDirectory()
        let path = folder.path + "/s"
        let busy = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        try #require(withAddress(path) { bind(busy, $0, $1) } == 0 && listen(busy, 0) == 0)
        var waiting: [Int32] = []
        defer { for descriptor in waiting + [busy] { close(descriptor) } }
        while waiting.count < 16 {
            let kind = SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue
            waiting.append(socket(AF_UNIX, Int32(kind), 0))
            if withAddress(path, { connect(waiting[waiting.count - 1], $0, $1) }) != 0 { break }
        }
        try #require(errno == EAGAIN)
        let daemon = Process()
        daemon.executableURL = URL(filePath: try DaemonProcess.program("autofilld"))
        daemon.arguments = ["--ephemeral", "--socket", path]
        daemon.standardError = FileHandle.nullDevice
        try daemon.run()
        daemon.waitUntilExit()
        #expect(daemon.terminationStatus == 69)
        #expect(access(path, F_OK) == 0)
    }

    private func datagramSocket(at path: String) throws -> Int32 {
        let descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        try #require(withAddress(path) { bind(descriptor, $0, $1) } == 0)
        return descriptor
    }

    /// The messages received so far.
    private func messages(_ descriptor: Int32) -> [String] {
        var all: [String] = []
        var bytes = [UInt8](repeating: 0, count: 4096)
        while case let count = recv(descriptor, &bytes, bytes.count, Int32(MSG_DONTWAIT)), count >= 0 {
            all.append(String(decoding: bytes.prefix(count), as: UTF8.self))
        }
        return all
    }

    private func withAddress(_ path: String, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32) -> Int32 {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8.prefix(107)) }
        return withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                body($0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
    }
}
