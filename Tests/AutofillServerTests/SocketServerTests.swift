// SPDX-License-Identifier: Apache-2.0
import AutofillProtocol
import AutofillService
import EventLoop
import Support
import Testing

@testable import AutofillServer

@Suite("The server on a real socket", .timeLimit(.minutes(10)))
struct SocketServerTests {
    private let served: ServedSocket

    init() throws { served = try ServedSocket() }

    @Test("Clients are admitted, answered, and at the end their waiting requests are refused")
    func whole() throws {
        let clients = try (0..<20).map { _ in try served.connect([Line.hello(), Line.password(2)]) }
        for client in clients { #expect(try client.answers() == ["1"]) }
        #expect(served.server.connections == 20)
        clients[0].send([Line.quick(3)].lines)
        served.stop()
        for _ in 0..<10 { try served.run(after: .milliseconds(20)) }
        #expect(try Set(clients[0].answers()) == ["2 stopping", "3"])
        for client in clients[1...] { #expect(try client.answers() == ["2 stopping"]) }
        #expect(served.hasStopped && clients.allSatisfy(\.isEnded) && served.server.connections == 0)
        #expect(served.service.questions.isEmpty)
    }

    @Test("A client that does not read is not waited for when the service ends")
    func doesNotRead() throws {
        let client = try served.connect([Line.hello(), Line.item(2, "long", bytes: Limits.itemDataBytes)])
        #expect(try client.answers() == ["1", "2"])
        client.send((0..<40).map { Line.read($0, "long") }.lines)
        try served.run()
        served.stop()
        var milliseconds = 0
        while !served.hasStopped, milliseconds < 10_000 {
            milliseconds += 20
            try served.run(after: .milliseconds(20))
        }
        #expect((Limits.stoppingMilliseconds..<Limits.stoppingAnswersMilliseconds).contains(milliseconds))
        #expect(served.server.connections == 0)
        #expect(try client.answers().count < 42 && client.isEnded)
    }
}
