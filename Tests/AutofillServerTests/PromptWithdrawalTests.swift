// SPDX-License-Identifier: Apache-2.0
import AutofillProtocol
import AutofillServer
import AutofillService
import EventLoop
import Foundation
import Support
import TestGround
import Testing

/// Real sockets, real processes and a real server; the test acts as the user.
@Suite("The prompt of an app that ends is closed", .blocking, .timeLimit(.minutes(10)))
struct PromptWithdrawalTests {
    private let served: ServedSocket

    init() throws { served = try ServedSocket() }

    private var isAsked: Bool { !served.service.questions.isEmpty }

    /// Whether the question is withdrawn.
    private func isWithdrawn() throws -> Bool { try served.run(until: { !isAsked }) }

    /// A client that was answered to hello, and has sent a request that needs the user's consent.
    private func asking(_ more: [String] = []) throws -> TestClient {
        let app = try served.connect([Line.hello()])
        #expect(try app.answers() == ["1"])
        app.send(([Line.password(2)] + more).lines)
        try served.run()
        return app
    }

    /// Far more answers than may be unread.
    private static let flood =
        [Line.item(3, "long", bytes: Limits.itemDataBytes)] + (100..<140).map { Line.read($0, "long") }

    @Test("It hangs up")
    func hangUp() throws {
        let app = try asking()
        #expect(isAsked)
        app.close()
        #expect(try isWithdrawn() && served.server.connections == 0)
    }

    @Test("It has ended its input, waits, and hangs up")
    func halfClosed() throws {
        let app = try asking()
        app.endInput()
        try served.run()
        let other = try served.connect([Line.hello()])
        #expect(try other.answers() == ["1"])
        #expect(isAsked, "the half-closed one still waits")
        app.close()
        #expect(try isWithdrawn() && served.server.connections == 1)
    }

    @Test("It hangs up while it is not read, because it does not read its answers")
    func paused() throws {
        let app = try asking(Self.flood)
        app.send([Line.quick(4)].lines)
        try served.run()
        #expect(app.hasUnreadInput, "the server reads no more")
        #expect(isAsked)
        app.close()
        #expect(try isWithdrawn() && served.server.connections == 0)
    }

    @Test("One of two that wait for the same answer ends: the prompt remains for the other one")
    func shared() throws {
        let app = try asking()
        let other = try asking()
        app.close()
        try served.run()
        #expect(isAsked)
        try served.service.allowAll()
        #expect(try other.answers() == ["2"])
    }

    @Test(
        "It ends while its child keeps the connection open, whether it is read or not",
        .enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/python3"), "needs /usr/bin/python3"),
        arguments: [false, true])
    func ended(isPaused: Bool) throws {
        let lines = [Line.hello(), Line.password(2)] + (isPaused ? Self.flood : [])
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/python3")
        process.arguments = ["-c", Self.script, served.path, lines.lines]
        let input = Pipe()
        process.standardInput = input
        try process.run()
        #expect(try served.run { isAsked })
        try served.service.onEngine { $0.endPromptsOfEnded() }
        #expect(isAsked)
        try input.fileHandleForWriting.write(contentsOf: Data("x".utf8))
        process.waitUntilExit()
        try served.run()
        #expect(isAsked && served.server.connections == 1, "the child keeps the connection open")
        try served.service.onEngine { $0.endPromptsOfEnded() }
        #expect(!isAsked && served.server.connections == 1)
    }

    /// Sends its second argument to the socket that is its first, the rest once hello is answered, and ends on request.
    /// Its child has the connection, and ends with that.
    private static let script = """
        import os, select, socket, sys
        s = socket.socket(socket.AF_UNIX); s.connect(sys.argv[1])
        hello, rest = sys.argv[2].encode().split(b"\\n", 1)
        s.sendall(hello + b"\\n")
        while not s.recv(65536).endswith(b"\\n"):
            pass
        s.sendall(rest)
        if os.fork():
            sys.stdin.read(1)
            os._exit(0)
        # What the test's own process watches it by is not the child's to keep open.
        os.closerange(0, s.fileno())
        os.closerange(s.fileno() + 1, os.sysconf("SC_OPEN_MAX"))
        poll = select.poll(); poll.register(s, 0); poll.poll()
        """
}
