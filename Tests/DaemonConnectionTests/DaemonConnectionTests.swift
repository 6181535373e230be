// SPDX-License-Identifier: Apache-2.0
import AutofillProtocol
import DaemonConnection
import DaemonSocket
import EventLoop
import Glibc
import TestGround
import Testing

@Suite("A front end's connection to the daemon")
struct DaemonConnectionTests {
    private let stage: Stage

    init() throws { stage = try Stage() }

    private func answer(_ id: Int, _ changed: Bool) -> String {
        #"{"jsonrpc":"2.0","id":\#(id),"result":{"changed":\#(changed)}}"#
    }

    @Test("Each of several calls gets its own answer, in any order")
    func ownAnswers() throws {
        stage.ask(1)
        stage.ask(2)
        #expect(try stage.requests() == ["request.cancel -1", "request.cancel -2"])
        try stage.deliver(answer(-2, true), answer(-1, false))
        #expect(stage.log.sorted() == ["1 false", "2 true"])
    }

    @Test("Other lines go to the handler: events, and answers to the caller's own lines")
    func handedOn() throws {
        stage.ask(1)
        try stage.deliver(#"{"jsonrpc":"2.0","method":"event","params":{}}"#, answer(7, true), answer(-1, true))
        #expect(stage.log == ["line 0", "line 7", "1 true"])
    }

    @Test("A refusal has the daemon's reasons")
    func refused() throws {
        stage.ask(1)
        try stage.deliver(
            #"{"jsonrpc":"2.0","id":-1,"error":{"code":1,"message":"Refused","data":{"reasons":["#
                + #"{"reason":"vault-locked","message":"m","fix":"f","audience":"user","retry":"afterChange"}]}}}"#)
        #expect(stage.log == ["1 vault-locked"])
    }

    @Test("A malformed answer is reported")
    func notUnderstood() throws {
        stage.ask(1)
        try stage.deliver(#"{"jsonrpc":"2.0","id":-1,"result":{"changed":"perhaps"}}"#)
        #expect(stage.log == ["1 notUnderstood"])
    }

    @Test("When the daemon ends, waiting calls fail first, then the owner is notified, once; later calls fail at once")
    func ended() throws {
        stage.ask(1)
        stage.ask(2)
        shutdown(stage.daemon, Int32(SHUT_RDWR))
        try stage.loop.runUntilIdle()
        #expect(!stage.isUp)
        #expect(stage.log.sorted() == ["1 lost", "2 lost", "end"])
        stage.ask(3)
        try stage.loop.runUntilIdle()
        #expect(stage.log.last == "3 lost" && stage.log.filter { $0 == "end" }.count == 1)
    }

    @Test("Lines before the end are delivered")
    func linesBeforeTheEnd() throws {
        stage.ask(1)
        let line = Array((answer(-1, true) + "\n").utf8)
        _ = line.withUnsafeBytes { send(stage.daemon, $0.baseAddress, $0.count, 0) }
        shutdown(stage.daemon, Int32(SHUT_RDWR))
        try stage.loop.runUntilIdle()
        #expect(stage.log.contains("1 true") && stage.log.contains("end"))
    }

    @Test("A line that is not JSON ends the connection")
    func noJSON() throws {
        stage.ask(1)
        try stage.deliver("{")
        #expect(stage.log.sorted() == ["1 lost", "end"])
    }

    @Test("When its owner closes a connection, waiting calls fail, and the owner is not notified")
    func closed() throws {
        stage.ask(1)
        stage.closeOwn()
        try stage.loop.runUntilIdle()
        #expect(stage.log == ["1 lost"])
    }

    @Test("A cancelled call cancels its request")
    func cancelled() throws {
        stage.ask(1)
        stage.cancel(1)
        try stage.loop.runUntilIdle()
        #expect(stage.log == ["1 cancelled"])
        #expect(try stage.requests() == ["request.cancel -1", "request.cancel -2"])
    }

    @Test("A call after its deadline does not: the user may be about to answer")
    func late() throws {
        stage.ask(1, for: .milliseconds(1))
        #expect(try stage.loop.run { !stage.log.isEmpty })
        #expect(stage.log == ["1 notResponding"])
        #expect(try stage.requests() == ["request.cancel -1"])
    }

    @Test("Lines that a busy daemon does not read yet are sent later, whole and in order")
    func manyBytes() throws {
        let lines = (0..<64).map { number in [UInt8](repeating: UInt8(number) + 32, count: 40_000) + [10] }
        for line in lines { stage.send(line) }
        var received: [UInt8] = []
        while received.count < 64 * 40_001 {
            received += stage.received()
            try stage.loop.runUntilIdle()
        }
        #expect(received == lines.flatMap(\.self))
    }

    @Test("A line whose descriptor cannot be passed is not sent: the connection ends")
    func passedInVain() throws {
        let line = [UInt8](repeating: 32, count: 40_000) + [10]
        for _ in 0..<64 { stage.send(line) }
        stage.ask(1, passing: stage.daemon)
        try stage.loop.runUntilIdle()
        #expect(stage.log.sorted() == ["1 lost", "end"])
    }

    @Test("If the listen queue is full, connecting fails at once")
    func busy() throws {
        let directory = try TemporaryDirectory()
        let path = directory.path + "/socket"
        let listener = try Stage.listener(at: path)
        let place = ServiceSocket(path: path, environment: { _ in nil }, isSandboxed: false)
        var taken: [Int32] = []
        defer { for descriptor in taken + [listener] { close(descriptor) } }
        var absence: ServiceAbsence?
        while absence == nil, taken.count < 64 {
            do throws(ServiceAbsence) { taken.append(try place.connect(within: nil)) } catch { absence = error }
        }
        #expect(absence == .notResponding)
    }
}
