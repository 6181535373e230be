// SPDX-License-Identifier: Apache-2.0
import AutofillProtocol
import EventLoop
import Support
import Testing

@testable import AutofillServer

/// attacks.md, one sandboxed app, 4: programs beside one another, with the loop's own turns. Each look at a peer takes its time by
/// the test's clock, and nothing else does.
@Suite("The loop's time")
struct LoopShareTests {
    private static let requests = 200

    private let served: ServedEngine

    init() throws { served = try ServedEngine() }

    private var now: Instant { served.loop.clocks.monotonic() }

    /// A program of its own, with something to read.
    private func program(_ number: Int32, look: Duration) throws -> TestClient {
        let client = try served.connect(of: number, look: look)
        client.send([Line.item(2, "one"), Line.read(3, "one")].lines)
        try served.run()
        #expect(try client.answers() == ["2", "3"])
        return client
    }

    private func read(_ client: TestClient, _ count: Int = 1) {
        client.send((0..<count).map { Line.read(3 + $0, "one") }.lines)
    }

    /// How long many requests at once take from now on, by the clock and in turns of the loop.
    private func answerAll(of busy: TestClient) throws -> (time: Duration, turns: Int) {
        let start = now
        read(busy, Self.requests)
        var (answered, turns) = (0, 0)
        while answered < Self.requests {
            // A program that rests makes no turn: then only time goes on.
            if try !served.loop.turn(timeout: .zero) { served.service.clock.advance(by: .microseconds(100)) }
            turns += 1
            answered += try busy.answers().count
        }
        return (now - start, turns)
    }

    @Test("A busy program takes as many turns and as long as alone beside another that is connected and asks nothing")
    func besideAnIdleOne() throws {
        let busy = try program(1, look: .milliseconds(1))
        let alone = try answerAll(of: busy)
        #expect(alone.time >= .milliseconds(Self.requests))
        let other = try program(2, look: .zero)
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

    @Test("Several requests are answered before it is looked for others while nobody else is awaited, else one")
    func several() throws {
        let look = Duration.microseconds(Limits.loneTurnMicroseconds / 5)
        let busy = try (0..<20).map { _ in try program(1, look: look) }
        let other = try program(2, look: .zero)
        served.service.clock.advance(by: .milliseconds(Limits.awaitedMilliseconds))
        #expect(try answerAll(of: busy[0]).turns <= Self.requests / 5 + 2)
        #expect(try turns(toAnswerOnce: busy) <= busy.count / 5 + 2)
        read(other)
        try served.run()
        #expect(try turns(toAnswerOnce: busy) >= busy.count)
        #expect(try answerAll(of: busy[0]).turns >= Self.requests)
    }

    /// How many turns of the loop it takes to answer one request of each.
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

    @Test("Two busy programs never have the loop stand still, and each is answered as often as the other")
    func twoBusyOnes() throws {
        let both = [try program(1, look: .milliseconds(1)), try program(2, look: .milliseconds(1))]
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
        let (long, short) = (try program(1, look: .milliseconds(5)), try program(2, look: .milliseconds(1)))
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
        "Who asks a hundred times a second waits twice as long at most, for half of the answers, beside long requests")
    func besideLongRequests() throws {
        let asker = try program(1, look: .milliseconds(1))
        let alone = try median(of: asker, beside: nil)
        let busy = try program(2, look: .milliseconds(4))
        let start = now
        let beside = try median(of: asker, beside: busy)
        #expect(beside.wait <= alone.wait * 2, "\(beside.wait), alone \(alone.wait)")
        // And what it does not take the busy one has, a fourth of the time at least.
        #expect(.milliseconds(4) * beside.answers >= (now - start) / 4)
    }

    /// The median wait of one that asks 10 ms after each answer, beside one that always has 16 requests under way; and how many
    /// of these were answered.
    private func median(of asker: TestClient, beside busy: TestClient?) throws -> (wait: Duration, answers: Int) {
        var (waits, answers) = ([Duration](), 0)
        var asks = now + .milliseconds(10)
        var isWaiting = false
        if let busy { read(busy, 16) }
        while waits.count < 100 {
            if !isWaiting, asks <= now {
                read(asker)
                isWaiting = true
            }
            if try !served.loop.turn(timeout: .zero) { served.service.clock.advance(by: .microseconds(50)) }
            if let busy, case let count = try busy.answers().count, count > 0 {
                answers += count
                read(busy, count)
            }
            guard isWaiting, try !asker.answers().isEmpty else { continue }
            waits.append(now - asks)
            asks = now + .milliseconds(10)
            isWaiting = false
        }
        return (waits.sorted()[waits.count / 2], answers)
    }
}
