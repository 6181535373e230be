// SPDX-License-Identifier: Apache-2.0
import AutofillProtocol
import DaemonConnection
import EventLoop
import Foundation
import Glibc
import Testing

/// An actor on a loop with a connection, of which the test has the other end.
actor Stage {
    nonisolated let loop: EventLoop
    nonisolated let daemon: Int32
    nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }
    private var connection: DaemonConnection?
    private var tasks: [Int64: Task<Void, Never>] = [:]
    private var entries: [String] = []

    init() throws {
        loop = try EventLoop()
        var both: [Int32] = [0, 0]
        let kind = SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue
        try #require(socketpair(AF_UNIX, Int32(kind), 0, &both) == 0)
        daemon = both[1]
        try assumeIsolated { try $0.open(both[0]) }
    }

    deinit { close(daemon) }

    private func open(_ descriptor: Int32) throws {
        connection = try DaemonConnection(
            descriptor, on: loop,
            onLine: { line in self.entries.append("line \((try? line.member("id")?.integer()) ?? 0)") },
            onEnd: { self.entries.append("end") })
    }

    /// Answers, other lines and notifications, in order.
    nonisolated var log: [String] { assumeIsolated { $0.entries } }
    nonisolated var isUp: Bool { assumeIsolated { $0.connection?.isUp ?? false } }

    /// Makes a request; `number` identifies it in the log.
    nonisolated func ask(_ number: Int64, passing passed: Int32 = -1, for patience: Duration? = nil) {
        assumeIsolated { $0.begin(number, passed, patience) }
    }

    private func begin(_ number: Int64, _ passed: Int32, _ patience: Duration?) {
        tasks[number] = Task.immediate {
            let deadline = patience.map { self.loop.clocks.monotonic() + $0 }
            do throws(DaemonFailure) {
                let call = RequestCancel(id: .number(number))
                let answer = try await self.connection?.perform(call, passing: passed, until: deadline)
                self.entries.append("\(number) \(answer?.changed ?? false)")
            } catch {
                let reasons = if case .refused(let reasons) = error { reasons.map(\.reason) } else { ["\(error)"] }
                self.entries.append("\(number) \(reasons.joined())")
            }
        }
    }

    nonisolated func cancel(_ number: Int64) { assumeIsolated { $0.tasks[number]?.cancel() } }

    nonisolated func send(_ bytes: [UInt8]) { assumeIsolated { $0.pass(bytes) } }

    private func pass(_ bytes: [UInt8]) { bytes.withUnsafeBytes { connection?.send($0) } }

    nonisolated func closeOwn() { assumeIsolated { $0.connection?.close() } }

    // MARK: - The daemon's end

    /// A listening socket with a queue for one client.
    static func listener(at path: String) throws -> Int32 {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
        let listener = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        let size = socklen_t(MemoryLayout<sockaddr_un>.size)
        let bound = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(listener, $0, size) }
        }
        try #require(bound == 0 && listen(listener, 0) == 0)
        return listener
    }

    nonisolated func deliver(_ lines: String...) throws {
        for line in lines {
            let bytes = Array((line + "\n").utf8)
            try #require(bytes.withUnsafeBytes { Glibc.send(daemon, $0.baseAddress, $0.count, 0) } == bytes.count)
        }
        try loop.runUntilIdle()
    }

    /// What the daemon received.
    nonisolated func received() -> [UInt8] {
        var all: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 64 * 1024)
        while true {
            let count = recv(daemon, &chunk, chunk.count, 0)
            guard count > 0 else { return all }
            all += chunk[..<count]
        }
    }

    /// The requests that the daemon received: method and id.
    nonisolated func requests() throws -> [String] {
        try received().split(separator: UInt8(ascii: "\n")).map { line in
            let object = try JSONSerialization.jsonObject(with: Data(line)) as? [String: Any] ?? [:]
            return "\(object["method"] ?? "") \(object["id"] ?? 0)"
        }
    }
}
