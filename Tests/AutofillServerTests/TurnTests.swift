// SPDX-License-Identifier: Apache-2.0
import AutofillProtocol
import AutofillService
import EventLoop
import Support
import Testing

@testable import AutofillServer

/// attacks.md, one sandboxed app, 4: what one app asks for keeps nobody else waiting, however many connections it has.
@Suite("Turns")
struct TurnTests {
    private let limit = Duration.microseconds(Limits.turnMicroseconds)
    private let burst = Duration.microseconds(Limits.loopBurstMicroseconds)
    private let awaited = Duration.milliseconds(Limits.awaitedMilliseconds)
    private let start = Clocks.system.monotonic()

    @Test("The connections of one program are answered for one turn together; another program's are not kept")
    func shared() {
        let queue = ProgramQueue()
        let greedy = queue.enter(.process(1))
        #expect(queue.enter(.process(1)) === greedy)
        for _ in 0..<2 { queue.note(limit * 2, of: greedy, at: start) }
        #expect(queue.admits(greedy, at: start), "nobody else is there")
        let other = queue.enter(.process(2))
        #expect(!queue.admits(greedy, at: start))
        #expect(queue.admits(other, at: start))
        _ = queue.next(at: start)
        #expect(queue.admits(greedy, at: start), "another turn of the loop")
        queue.note(limit / 2, of: greedy, at: start)
        #expect(queue.admits(greedy, at: start), "its turn is not over")
        queue.note(limit / 2, of: greedy, at: start)
        #expect(!queue.admits(greedy, at: start))
    }

    @Test("Who had the whole turn before stands behind those who are ready, while another is awaited")
    func behind() {
        let queue = ProgramQueue()
        let (greedy, other) = (queue.enter(.process(1)), queue.enter(.process(2)))
        queue.note(.zero, of: other, at: start)
        queue.note(limit, of: greedy, at: start)
        _ = queue.next(at: start)
        #expect(!queue.admits(greedy, at: start) && queue.admits(other, at: start))
        #expect(queue.admits(greedy, at: start + awaited), "the other asks nothing any more")
        _ = queue.next(at: start)
        #expect(queue.admits(greedy, at: start))
    }

    @Test("While another is awaited a program has a share of the time, and all of it otherwise")
    func share() {
        let queue = ProgramQueue()
        let (greedy, other) = (queue.enter(.process(1)), queue.enter(.process(2)))
        queue.note(burst * 5, of: greedy, at: start)
        queue.note(limit, of: other, at: start)
        for _ in 0..<2 { _ = queue.next(at: start) }
        #expect(queue.admits(greedy, at: start), "what it took while it was alone does not count")
        queue.note(burst + .milliseconds(3), of: greedy, at: start)
        for _ in 0..<2 { _ = queue.next(at: start) }
        #expect(!queue.admits(greedy, at: start) && queue.admits(other, at: start))
        let rest = Duration.milliseconds(3) * Limits.loopShare
        #expect(!queue.admits(greedy, at: start + (rest - .microseconds(10))))
        #expect(queue.admits(greedy, at: start + rest + .microseconds(1)))
        // No more than the burst is held against it, and nothing once the other asks nothing any more.
        queue.note(burst * 5, of: greedy, at: start)
        for _ in 0..<2 { _ = queue.next(at: start) }
        #expect(!queue.admits(greedy, at: start + (awaited - .microseconds(10))))
        #expect(queue.admits(greedy, at: start + awaited))
    }

    @Test("A program has a longer turn while nobody else was answered lately, or has come and was not answered")
    func alone() {
        let queue = ProgramQueue()
        let longer = Duration.microseconds(Limits.loneTurnMicroseconds)
        let busy = queue.enter(.process(1))
        #expect(queue.turn(of: busy, at: start) == longer)
        let other = queue.enter(.process(2))
        #expect(queue.turn(of: busy, at: start) == limit, "it has come to ask something")
        queue.note(.zero, of: other, at: start)
        #expect(queue.turn(of: busy, at: start + (awaited - .microseconds(1))) == limit)
        #expect(queue.turn(of: busy, at: start + awaited) == longer)
        queue.note(limit, of: busy, at: start + awaited)
        #expect(queue.turn(of: other, at: start + awaited) == limit)
        #expect(queue.admits(busy, at: start + awaited), "its longer turn is not over")
        queue.note(longer - limit, of: busy, at: start + awaited)
        #expect(!queue.admits(busy, at: start + awaited))
        _ = queue.enter(.process(3))
        #expect(queue.turn(of: busy, at: start + awaited) == limit)
        queue.leave(.process(3))
        #expect(queue.turn(of: busy, at: start + awaited) == longer, "it has gone")
    }

    @Test("A program whose connections have all gone is forgotten")
    func forgotten() {
        let queue = ProgramQueue()
        let before = queue.enter(.process(1))
        _ = queue.enter(.process(1))
        queue.leave(.process(1))
        #expect(queue.enter(.process(1)) === before)
        for _ in 0..<2 { queue.leave(.process(1)) }
        #expect(queue.enter(.process(1)) !== before)
    }

    @Test("A connection that has to wait is read when its turn comes, or when the client has gone")
    func unread() {
        var state = Situation.serving.state
        #expect(state.inputMustWait() == .awaitTurn && state.inputMustWait() == [])
        #expect(state.interest == [] && !state.mayAnswer)
        #expect(state.turnCame() == .read)
        #expect(state.interest == .readable)
        _ = state.inputMustWait()
        #expect(state.hungUp() == .read)
        #expect(state.turnCame() == .answer, "its turn comes all the same")
        for situation in Situation.allCases {
            var state = situation.state
            let reads = Situation.reading.contains(situation)
            #expect(state.inputMustWait() == (reads ? .awaitTurn : []), "\(situation)")
        }
    }
}
