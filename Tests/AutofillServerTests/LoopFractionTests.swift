// SPDX-License-Identifier: Apache-2.0
import AutofillProtocol
import EventLoop
import Support
import Testing

@testable import AutofillServer

/// attacks.md, one sandboxed app, 4: programs beside one another, with the loop's own turns. Only inspections of peers
/// take time by the test's clock.
@Suite("The loop's time")
struct LoopFractionTests {
    private static let requests = 200

    private let served: ServedEngine

    init() throws { served = try ServedEngine() }

    private var now: Instant { served.loop.clocks.monotonic() }

    /// A program of its own, with something to read.
    private func program(_ number: Int32, inspection: Duration) throws -> TestClient {
        let client = try served.connect(of: number, inspection: inspection)
        client.send([Line.item(2, "one"), Line.read(3, "one")].lines)
        try served.run()
        #expect(try client.answers() == ["2", "3"])
        return client
    }

    private func read(_ client: TestClient, _ count: Int = 1) {
        client.send((0..<count).map { Line.read(3 + $0, "one") }.lines)
    }

    /// The time of many requests at once, by the clock and in turns of the loop.
    private func answerAll(of busy: TestClient) throws -> (time: Duration, turns: Int) {
        let start = now
        read(busy, Self.requests)
        var (answered, turns) = (0, 0)
        while answered < Self.requests {
            // While a program rests there is no turn: then only time advances.
            if try !served.loop.turn(timeout: .zero) { served.service.clock.advance(by: .microseconds(100)) }
            turns += 1
            answered += try busy.answers().count
        }
        return (now - start, turns)
    }

    @Test("A busy program needs as many turns and as long as alone beside another that is connected and idle")
    func besideAnIdleOne() throws {
        let busy = try program(1, inspection: .milliseconds(1))
        let alone = try answerAll(of: busy)
        #expect(alone.time >= .milliseconds(Self.requests))
        let other = try program(2, inspection: .zero)
        read(other)
        try served.run()
        #expect(try other.answers() == ["3"])
        served.service.clock.advance(by: .milliseconds(Limits.awaitedMilliseconds))
        let beside = try answerAll(of: busy)
        #expect(beside == alone)
        // Right after the other was answered its next request is awaited for some milliseconds.
        read(other)
        try served.run()
        #expect(try answerAll(of: busy).time <= alone.time + .milliseconds(Limits.awaitedMilliseconds))
    }

    @Test("Several requests are answered before the sockets are checked while no other program is awaited, else one")
    func several() throws {
        let inspection = Duration.microseconds(Limits.loneTurnMicroseconds / 5)
        let busy = try (0..<20).map { _ in try program(1, inspection: inspection) }
        let other = try program(2, inspection: .zero)
        served.service.clock.advance(by: .milliseconds(Limits.awaitedMilliseconds))
        #expect(try answerAll(of: busy[0]).turns <= Self.requests / 5 + 2)
        #expect(try turns(toAnswerOnce: busy) <= busy.count / 5 + 2)
        read(other)
        try served.run()
        #expect(try turns(toAnswerOnce: busy) >= busy.count)
        #expect(try answerAll(of: busy[0]).turns >= Self.requests)
    }

    /// How many turns of the loop are needed to answer one request of each.
    private func turns(toAnswerOnce clients: [TestClient]) throws -> Int {
        for client in clients { read(client) }
        var (answered, turns) = (0, 0)
        while answered < clients.count {
            #expect(try served.loop.turn(timeout: .zero))
            turns += 1
            for client in clients { answered += try client.answers().count }
        }
        return turns
    }

    @Test("With two busy programs the loop is never idle, and each is answered as often as the other")
    func twoBusyOnes() throws {
        let both = [try program(1, inspection: .milliseconds(1)), try program(2, inspection: .milliseconds(1))]
        for client in both { read(client, Self.requests) }
        var answered = [0, 0]
        while answered.reduce(0, +) < 2 * Self.requests {
            #expect(try served.loop.turn(timeout: .zero), "nothing to do after \(answered)")
            for (index, client) in both.enumerated() { answered[index] += try client.answers().count }
            if answered.max() ?? 0 < Self.requests { #expect(abs(answered[0] - answered[1]) <= 2) }
        }
    }

    @Test("A program of long requests has no more of the time than one of short ones, while both ask all the time")
    func longAndShort() throws {
        let (long, short) = (try program(1, inspection: .milliseconds(5)), try program(2, inspection: .milliseconds(1)))
        read(long, Self.requests)
        read(short, Self.requests)
        var (longOnes, shortOnes) = (0, 0)
        while shortOnes < Self.requests {
            #expect(try served.loop.turn(timeout: .zero))
            longOnes += try long.answers().count
            shortOnes += try short.answers().count
            #expect(abs(longOnes * 5 - shortOnes) <= 10, "\(longOnes) long, \(shortOnes) short")
        }
    }

    @Test(
        "A program with a hundred requests a second waits twice as long at most, for half of the answers, beside long requests"
    )
    func besideLongRequests() throws {
        let requester = try program(1, inspection: .milliseconds(1))
        let alone = try median(of: requester, beside: nil)
        let busy = try program(2, inspection: .milliseconds(4))
        let start = now
        let beside = try median(of: requester, beside: busy)
        #expect(beside.wait <= alone.wait * 2, "\(beside.wait), alone \(alone.wait)")
        // And the time that it does not use is the busy one's, a fourth of the time at least.
        #expect(.milliseconds(4) * beside.answers >= (now - start) / 4)
    }

    /// The median wait of one that sends a request 10 ms after each answer, beside one that always has 16 requests
    /// pending; and how many of these were answered.
    private func median(of requester: TestClient, beside busy: TestClient?) throws -> (wait: Duration, answers: Int) {
        var (waits, answers) = ([Duration](), 0)
        var asks = now + .milliseconds(10)
        var isWaiting = false
        if let busy { read(busy, 16) }
        while waits.count < 100 {
            if !isWaiting, asks <= now {
                read(requester)
                isWaiting = true
            }
            if try !served.loop.turn(timeout: .zero) { served.service.clock.advance(by: .microseconds(50)) }
            if let busy, case let count = try busy.answers().count, count > 0 {
                answers += count
                read(busy, count)
            }
            guard isWaiting, try !requester.answers().isEmpty else { continue }
            waits.append(now - asks)
            asks = now + .milliseconds(10)
            isWaiting = false
        }
        return (waits.sorted()[waits.count / 2], answers)
    }
}
