// SPDX-License-Identifier: Apache-2.0
import AutofillProtocol
import AutofillService
import CredentialStorage
import EventLoop
import Glibc
import Support
import Testing

@testable import AutofillServer

@Suite("A connection")
struct ConnectionTests {
    private let served: ServedEngine

    init() throws { served = try ServedEngine() }

    @Test("Lines are answered in their order, however they arrive, and nothing is kept while there are none")
    func order() throws {
        let client = try served.connect()
        #expect(served.connections[0].keptBytes == 0)
        client.send([Line.quick(2), Line.quick(3), "", " \r"].lines + Line.quick(4).prefix(3))
        try served.run()
        #expect(try client.answers() == ["2", "3"])
        #expect(served.connections[0].keptBytes == 3)
        client.send(Line.quick(4).dropFirst(3) + "\n")
        try served.run()
        #expect(try client.answers() == ["4"])
        #expect(served.connections[0].keptBytes == 0)
        for byte in [Line.quick(5)].lines {
            client.send(String(byte))
            try served.run()
        }
        #expect(try client.answers() == ["5"])
    }

    @Test("A line of the limit is read, a longer one is reported once, and the next one is read")
    func long() throws {
        let client = try served.connect()
        for (length, answer) in [
            (Limits.lineBytes, "2"), (Limits.lineBytes + 1, "- line-too-long"), (300_000, "- line-too-long"),
        ] {
            let padding = String(repeating: " ", count: length - Line.quick(2).utf8.count)
            var text = Substring([padding + Line.quick(2), Line.quick(3)].lines)
            while !text.isEmpty {
                text = text.dropFirst(max(0, client.send(String(text))))
                try served.run()
            }
            #expect(try client.answers() == [answer, "3"])
        }
        #expect(served.connections[0].keptBytes == 0)
    }

    @Test(
        "After the end of its input what was received is answered, the last line also without its line feed, then it closes"
    )
    func endOfInput() throws {
        let client = try served.connect()
        client.send(Line.quick(2) + "\n" + Line.quick(3))
        client.endInput()
        try served.run()
        #expect(try client.answers() == ["2", "3"])
        #expect(client.isEnded && served.table.count == 0)
    }

    @Test("A client learns that it was disconnected while another program has a copy of its socket")
    func copied() throws {
        let client = try served.connect()
        let copy = dup(served.newestDescriptor)
        defer { close(copy) }
        client.endInput()
        try served.run()
        #expect(try client.answers() == [] && client.isEnded)
    }

    @Test("After the end of its input what waits is waited for, and nothing spins meanwhile")
    func halfClosed() throws {
        let client = try served.connect()
        client.send([Line.password(2), Line.quick(3)].lines)
        client.endInput()
        try served.run()
        #expect(try client.answers() == ["3"] && !client.isEnded)
        #expect(try served.isIdle())
        try served.service.allowAll()
        #expect(try client.answers() == ["2"])
        #expect(client.isEnded && served.table.count == 0)
    }

    @Test("A client that hangs up is disconnected at once, also where it waits, is held up or does not read")
    func hangUp() throws {
        let waiting = try served.connect()
        waiting.send([Line.password(2)].lines)
        let halfClosed = try served.connect()
        halfClosed.send([Line.password(2)].lines)
        halfClosed.endInput()
        let full = try served.connectWithLongItem()
        full.send((0..<20).map { Line.read($0, "long") }.lines)
        let idle = try served.connect()
        try served.run()
        #expect(!served.service.questions.isEmpty)
        _ = try served.holdVault()
        let held = try served.connect()
        held.send((0..<40).map { Line.password($0) }.lines)
        try served.run()
        for client in [waiting, halfClosed, full, idle, held] {
            let count = served.table.count
            client.close()
            #expect(try served.run(until: { served.table.count == count - 1 }))
        }
        #expect(try served.isIdle())
        #expect(served.service.questions.isEmpty)
    }

    @Test("What was sent before a hang-up is done")
    func sentBefore() throws {
        let client = try served.connect()
        client.send((0..<500).map { Line.item($0, "account \($0)") }.lines)
        client.close()
        #expect(try served.run(until: { served.table.count == 0 }))
        #expect(served.service.vault?.counts?.items == 500)
    }

    @Test("A client that does not read is read no more and receives no event, and receives all when it reads")
    func backPressure() throws {
        let client = try served.connectWithLongItem()
        client.send([Line.subscribe(3)].lines)
        try served.run()
        #expect(try client.answers() == ["3"])
        client.send((0..<40).flatMap { [Line.read(100 + $0, "long"), Line.quick(200 + $0)] }.lines)
        try served.run()
        #expect(served.connections[0].state.output == .full)
        let kept = served.connections[0].keptBytes
        #expect(kept < Limits.unreadAnswerBytes + 300_000)
        try served.announce(.vaultLocked(.request))
        #expect(served.connections[0].keptBytes == kept)
        var answers: [String] = []
        for _ in 0..<100 where answers.count < 81 {
            answers += try client.answers()
            try served.run()
        }
        #expect(answers.filter { $0 != "event" } == (0..<40).flatMap { ["\(100 + $0)", "\(200 + $0)"] })
        #expect(answers.count == 81)
        #expect(served.connections[0].keptBytes == 0)
        try served.announce(.vaultUnlocked)
        #expect(try client.answers() == ["event"])
    }

    @Test("While hello is answered no more of its requests are accepted; then it continues")
    func greeting() throws {
        let client = try served.connect(greets: false)
        client.send([Line.hello(), Line.quick(2), Line.quick(3)].lines)
        try served.runLoop()
        client.send([Line.quick(4)].lines)
        try served.runLoop()
        #expect(try client.answers() == [])
        #expect(try served.isIdle())
        try served.run()
        #expect(try client.answers() == ["1", "2", "3", "4"])
    }

    @Test("While many of its requests wait for the vault no more are accepted; then all continue")
    func heldUp() throws {
        let clients = try (0..<5).map { _ in try served.connect() }
        let work = try served.holdVault()
        let reads = (1...Limits.waitingRequests).map { Line.read(1 + $0, "none") }
        for client in clients { client.send(([Line.quick(1)] + reads + [Line.quick(100)]).lines) }
        try served.run()
        for client in clients { #expect(try client.answers() == ["1"]) }
        #expect(try served.isIdle())
        try served.release(work)
        for client in clients {
            let answers = try client.answers()
            #expect(answers.count == Limits.waitingRequests + 1)
            #expect(Set(answers.dropLast()) == Set(reads.indices.map { "\($0 + 2) item-not-found" }))
            #expect(answers.last == "100")
        }
    }

    @Test("Without a finished hello in time it is refused and closed; with one it remains")
    func silence() throws {
        let greeted = try served.connect()
        let silent = try served.connect(greets: false)
        let refused = try served.connect(greets: false)
        let slow = try served.connect(greets: false)
        refused.send([Line.hello("no bundle ID")].lines)
        try served.run(after: .milliseconds(Limits.helloMilliseconds - 200))
        #expect(try refused.answers() == ["1 parameter-invalid"])
        slow.send([Line.hello()].lines)
        try served.runLoop()
        #expect(served.table.count == 4)
        served.service.clock.advance(by: .milliseconds(400))
        try served.runLoop()
        for client in [silent, refused, slow] {
            #expect(try client.answers() == ["- hello-required"] && client.isEnded)
        }
        greeted.send([Line.quick(2)].lines)
        try served.run()
        #expect(try greeted.answers() == ["2"] && served.table.count == 1)
    }

    @Test("A delegate's hello that arrived in time is answered, though its inspection ends later; then it remains")
    func slowDelegate() throws {
        let (delegate, failed) = (try served.connect(greets: false), try served.connect(greets: false))
        var ends: [Int32] = [0, 0]
        try #require(pipe(&ends) == 0)
        defer { for end in ends { close(end) } }
        try served.run(after: .milliseconds(Limits.helloMilliseconds - 200))
        failed.send([Line.hello("no bundle ID")].lines, with: [ends[0]])
        try served.run()
        #expect(try failed.answers() == ["1 parameter-invalid"])
        delegate.send([Line.hello(), Line.quick(2)].lines, with: [ends[0]])
        try served.runLoop()
        served.service.clock.advance(by: .milliseconds(400))
        try served.runLoop()
        #expect(try delegate.answers() == [] && !delegate.isEnded)
        #expect(try failed.answers() == ["- hello-required"] && failed.isEnded)
        try served.run()
        #expect(try delegate.answers() == ["1", "2"])
        try served.run(after: .milliseconds(Limits.helloMilliseconds))
        delegate.send([Line.quick(3)].lines)
        try served.run()
        #expect(try delegate.answers() == ["3"] && served.table.count == 1)
    }

    @Test("A client with few requests waits for no more than a slice of those with many")
    func fairness() throws {
        let greedy = try (0..<2).map { _ in try served.connect() }
        let modest = try served.connect()
        for client in greedy { client.send((0..<1000).map(Line.quick).lines) }
        try served.loop.turn()
        var turns = 0
        for _ in 0..<5 {
            modest.send([Line.quick(2)].lines)
            var answer: [String] = []
            while answer.isEmpty, turns < 100 {
                try served.loop.turn()
                turns += 1
                answer = try modest.answers()
            }
            #expect(answer == ["2"])
        }
        // The clock does not advance, so a slice has as many lines as allowed.
        #expect(greedy.allSatisfy { $0.lines().count <= (turns + 2) * Limits.linesPerTurn })
        #expect(turns <= 15)
        try served.run()
        #expect(served.connections.allSatisfy { $0.keptBytes == 0 })
    }

    @Test(
        "Clients that hang up after their requests wait for their slices as others do, and nothing spins meanwhile",
        arguments: [4, 1])
    func fairnessAtTheEnd(count: Int) throws {
        // Each of their requests takes longer than a slice.
        let greedy = try (0..<32).map { _ in try served.connect(inspection: .milliseconds(1)) }
        let modest = try served.connect(of: 2)
        for (number, client) in greedy.enumerated() {
            let lines = (0..<count).map { Line.item($0, "account \(number) \($0)") }.lines
            // One alone has no line feed: it is received before the hang-up, and answered at the end of the input.
            client.send(count == 1 ? String(lines.dropLast()) : lines)
        }
        if count == 1 { try served.run() }
        for client in greedy { client.close() }
        modest.send([Line.quick(2)].lines)
        var answer: [String] = []
        for _ in 0..<10 where answer.isEmpty {
            try served.loop.turn(timeout: .zero)
            answer = try modest.answers()
        }
        #expect(answer == ["2"])
        let before = try #require(served.service.vault?.counts?.items)
        #expect(before < 8, "\(before) of \(32 * count) before it")
        // They have used their credit, and rest until the clock advances.
        var turns = 0
        while turns < 1000, try served.loop.turn(timeout: .zero) { turns += 1 }
        #expect(turns < 1000, "the loop does not sleep")
        #expect(served.table.count > 1)
        for _ in 0..<200 where served.table.count > 1 { try served.run(after: .milliseconds(1)) }
        #expect(served.table.count == 1)
        #expect(served.service.vault?.counts?.items == 32 * count)
    }

    @Test("A client that hangs up with nothing left to answer is disconnected at once, though its program has to wait")
    func emptyEnd() throws {
        let greedy = try served.connect(inspection: .milliseconds(1))
        let idle = try (0..<32).map { _ in try served.connect() }
        let modest = try served.connect(of: 2)
        greedy.send((0..<64).map { Line.item($0, "account \($0)") }.lines)
        modest.send([Line.quick(2)].lines)
        var turns = 0
        while turns < 1000, try served.loop.turn(timeout: .zero) { turns += 1 }
        #expect(turns < 1000 && served.table.count == 34)
        for client in idle { client.close() }
        try served.runLoop()
        #expect(served.table.count == 2)
        #expect(try #require(served.service.vault?.counts?.items) < 64, "it still rests")
    }

    @Test("A connection is released when it is closed, also the one that was answered last")
    func released() throws {
        let client = try served.connect()
        weak var connection: Connection?
        connection = served.connections.first
        #expect(connection != nil)
        served.abortAll()
        try served.run()
        #expect(connection == nil)
        client.close()
    }
}
