// SPDX-License-Identifier: Apache-2.0
import AutofillService
import EventLoop
import Glibc
import PeerInspection
import Support
import TestGround
import Testing

@testable import AutofillServer

/// The whole server on a real socket, with the whole service behind it. It inspects real processes.
final class ServedSocket {
    let service: TestService
    let path: String
    private let directory: TemporaryDirectory
    private let socket: ListeningSocket
    private let made: Made

    // Invariant for `@unchecked`: used on the loop's thread, and between turns.
    private final class Made: @unchecked Sendable {
        let server: SocketServer
        var hasStopped = false

        init(_ descriptor: Int32, _ engine: isolated AutofillEngine) throws {
            server = SocketServer(
                inspector: .ofThisProcess(environment: [:]), pool: engine.pool, record: { _ in },
                reportFault: { _ in }, on: engine)
            try server.serve([descriptor], engine)
        }

        func stop(_ engine: isolated AutofillEngine) {
            Task.immediate {
                await self.server.stop(engine)
                self.hasStopped = true
            }
        }
    }

    init(_ service: TestService? = nil) throws {
        directory = try TemporaryDirectory()
        path = directory.path + "/socket"
        socket = try ListeningSocket(path)
        let listening = socket.descriptor
        self.service = try service ?? .withPassword()
        let service = self.service
        made = try service.engine.assumeIsolated { try Made(listening, $0) }
        service.leave { [weak server = made.server] in server?.armTurnEnd() }
    }

    /// Breaks the circle of engine and server.
    deinit {
        stop()
        for _ in 0..<1000 where !made.hasStopped { try? run(after: .milliseconds(20)) }
    }

    var loop: EventLoop { service.engine.loop }
    var server: SocketServer { made.server }
    var hasStopped: Bool { made.hasStopped }

    func run() throws { try service.settle() }

    func run(after duration: Duration) throws {
        service.clock.advance(by: duration)
        try run()
    }

    /// Runs until a condition holds, where another process participates.
    func run(until condition: () -> Bool, patience: Duration = .seconds(120)) throws -> Bool {
        try service.settle(until: condition, patience: patience)
    }

    /// A client that has sent these lines.
    func connect(_ lines: [String]) throws -> TestClient {
        let client = TestClient(try socket.connect())
        client.send(lines.lines)
        try run()
        return client
    }

    func stop() {
        let made = made
        service.engine.assumeIsolated { made.stop($0) }
    }
}

extension TestService {
    /// Settles until a condition holds, where another process participates: one that another test starts has a copy of each socket until
    /// it executes its program.
    func settle(until condition: () -> Bool, patience: Duration = .seconds(120)) throws -> Bool {
        let loop = engine.loop, end = Clocks.system.monotonic() + patience
        while true {
            try settle()
            if condition() { return true }
            guard Clocks.system.monotonic() < end else { return false }
            try loop.turn(timeout: .milliseconds(100))
        }
    }
}
