// SPDX-License-Identifier: Apache-2.0
import AutofillProtocol
import AutofillService
import EventLoop
import Support
import Testing

@testable import AutofillServer

/// attacks.md, one sandboxed app, 4: the requests of one app keep no other app waiting, however many connections it
/// has.
@Suite("FairQueue")
struct FairQueueTests {
    private let limit = Duration.microseconds(Limits.turnMicroseconds)
    private let burst = Duration.microseconds(Limits.loopBurstMicroseconds)
    private let awaited = Duration.milliseconds(Limits.awaitedMilliseconds)
    private let start = Clocks.system.monotonic()

    @Test("The connections of one program are answered for one slice together; another program's are not delayed")
    func shared() {
        let queue = FairQueue()
        let greedy = queue.enter(.process(1))
        #expect(queue.enter(.process(1)) === greedy)
        for _ in 0..<2 { queue.note(limit * 2, of: greedy, at: start) }
        #expect(queue.admits(greedy, at: start), "no other is connected")
        let other = queue.enter(.process(2))
        #expect(!queue.admits(greedy, at: start))
        #expect(queue.admits(other, at: start))
        _ = queue.next(at: start)
        #expect(queue.admits(greedy, at: start), "another turn of the loop")
        queue.note(limit / 2, of: greedy, at: start)
        #expect(queue.admits(greedy, at: start), "its slice is not over")
        queue.note(limit / 2, of: greedy, at: start)
        #expect(!queue.admits(greedy, at: start))
    }

    @Test("A program that had the whole slice before is behind those that are ready, while another is awaited")
    func behind() {
        let queue = FairQueue()
        let (greedy, other) = (queue.enter(.process(1)), queue.enter(.process(2)))
        queue.note(.zero, of: other, at: start)
        queue.note(limit, of: greedy, at: start)
        _ = queue.next(at: start)
        #expect(!queue.admits(greedy, at: start) && queue.admits(other, at: start))
        #expect(queue.admits(greedy, at: start + awaited), "the other sends no request any more")
        _ = queue.next(at: start)
        #expect(queue.admits(greedy, at: start))
    }

    @Test("While another is awaited a program has a fraction of the time, and all of it otherwise")
    func quota() {
        let queue = FairQueue()
        let (greedy, other) = (queue.enter(.process(1)), queue.enter(.process(2)))
        queue.note(burst * 5, of: greedy, at: start)
        queue.note(limit, of: other, at: start)
        for _ in 0..<2 { _ = queue.next(at: start) }
        #expect(queue.admits(greedy, at: start), "its use while it was alone does not count")
        queue.note(burst + .milliseconds(3), of: greedy, at: start)
        for _ in 0..<2 { _ = queue.next(at: start) }
        #expect(!queue.admits(greedy, at: start) && queue.admits(other, at: start))
        let rest = Duration.milliseconds(3) * Limits.loopQuota
        #expect(!queue.admits(greedy, at: start + (rest - .microseconds(10))))
        #expect(queue.admits(greedy, at: start + rest + .microseconds(1)))
        // No more than the burst is held against it, and nothing once the other sends no request any more.
        queue.note(burst * 5, of: greedy, at: start)
        for _ in 0..<2 { _ = queue.next(at: start) }
        #expect(!queue.admits(greedy, at: start + (awaited - .microseconds(10))))
        #expect(queue.admits(greedy, at: start + awaited))
    }

    @Test("A program has a longer slice while no other was answered lately, or is connected and was not answered")
    func alone() {
        let queue = FairQueue()
        let longer = Duration.microseconds(Limits.loneTurnMicroseconds)
        let busy = queue.enter(.process(1))
        #expect(queue.slice(of: busy, at: start) == longer)
        let other = queue.enter(.process(2))
        #expect(queue.slice(of: busy, at: start) == limit, "it has connected and will send a request")
        queue.note(.zero, of: other, at: start)
        #expect(queue.slice(of: busy, at: start + (awaited - .microseconds(1))) == limit)
        #expect(queue.slice(of: busy, at: start + awaited) == longer)
        queue.note(limit, of: busy, at: start + awaited)
        #expect(queue.slice(of: other, at: start + awaited) == limit)
        #expect(queue.admits(busy, at: start + awaited), "its longer slice is not over")
        queue.note(longer - limit, of: busy, at: start + awaited)
        #expect(!queue.admits(busy, at: start + awaited))
        _ = queue.enter(.process(3))
        #expect(queue.slice(of: busy, at: start + awaited) == limit)
        queue.leave(.process(3))
        #expect(queue.slice(of: busy, at: start + awaited) == longer, "it has disconnected")
    }

    @Test("A program without connections is forgotten")
    func forgotten() {
        let queue = FairQueue()
        let before = queue.enter(.process(1))
        _ = queue.enter(.process(1))
        queue.leave(.process(1))
        #expect(queue.enter(.process(1)) === before)
        for _ in 0..<2 { queue.leave(.process(1)) }
        #expect(queue.enter(.process(1)) !== before)
    }

    @Test("A connection that has to wait is read when its slice begins, or when the client has hung up")
    func unread() {
        var state = Situation.serving.state
        #expect(state.inputMustWait() == .awaitSlice && state.inputMustWait() == [])
        #expect(state.interest == .once && !state.mayAnswer)
        #expect(state.sliceBegins() == .read)
        #expect(state.interest == .readable)
        _ = state.inputMustWait()
        #expect(state.hungUp(isAdmitted: false) == [])
        #expect(state.hungUp() == .read)
        #expect(state.sliceBegins() == .answer, "its slice still begins")
        for situation in Situation.allCases {
            var state = situation.state
            let reads = Situation.reading.contains(situation)
            #expect(state.inputMustWait() == (reads ? .awaitSlice : []), "\(situation)")
        }
    }
}
