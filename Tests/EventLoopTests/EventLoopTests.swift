// SPDX-License-Identifier: Apache-2.0
import EventLoop
import Glibc
import TestGround
import Testing

@Suite(.blocking) struct EventLoopTests {
    @Test("What is executed runs on the loop in order, and never at once") func order() throws {
        let loop = try EventLoop()
        let seen = Log()
        loop.execute {
            loop.execute { seen.add("inner") }
            seen.add("first")
        }
        loop.execute { seen.add("second") }
        #expect(seen.lines == [])
        try loop.runUntilIdle()
        #expect(seen.lines == ["first", "second", "inner"])
    }

    @Test(
        "A request that need not wait is answered in the turn in which it arrived; one that waits, later and on the same thread"
    )
    func turns() throws {
        let loop = try EventLoop()
        let (near, far) = try socketPair()
        defer { closeAll(near, far) }
        let engine = Engine(loop: loop)
        try engine.assumeIsolated { try $0.open(near) }
        write(far, "quick")
        try loop.turn()
        #expect(receive(far) == "at once")
        write(far, "slow")
        try loop.turn()
        #expect(receive(far) == nil)
        try loop.runUntilIdle()
        #expect(receive(far) == nil)
        engine.assumeIsolated { $0.owner.waits.resumeAll(returning: "late") }
        #expect(receive(far) == nil)
        try loop.runUntilIdle()
        #expect(receive(far) == "late")
    }

    @Test("Jobs that never end and sockets that are always ready do not starve each other, nor the end of the turn")
    func fairness() throws {
        let loop = try EventLoop()
        let (near, far) = try socketPair()
        defer { closeAll(near, far) }
        var (served, ended, later) = (0, 0, 0)
        let seen = Log()
        @Sendable func forever() {
            seen.add("job")
            loop.execute { forever() }
        }
        forever()
        let ending = TurnSource(on: loop, at: .endOfTurn) { ended += 1 }
        var more: TurnSource?
        more = TurnSource(on: loop, at: .afterSockets) {
            later += 1
            more?.arm()
        }
        more?.arm()
        let source = try IOSource(on: loop, descriptor: near, events: .writable) { _ in
            served += 1
            ending.arm()
        }
        for _ in 0..<64 { try loop.turn() }
        #expect(served >= 63 && later == 64 && ended >= 4)
        #expect(seen.lines.count > 64)
        more = nil
        withExtendedLifetime(source) {}
    }

    @Test("A turn that was asked to end soon ends though the next jobs wait already")
    func endsSoon() throws {
        let loop = try EventLoop()
        var ended = 0
        let ending = TurnSource(on: loop, at: .endOfTurn) { ended += 1 }
        @Sendable func forever() { loop.execute { forever() } }
        forever()
        ending.arm()
        try loop.turn()
        #expect(ended == 0)
        loop.endTurnSoon()
        try loop.turn()
        #expect(ended == 1)
        withExtendedLifetime(ending) {}
    }

    @Test("A turn ends a quarter of a millisecond after the first work that was left, though the next jobs wait")
    func endsInTime() throws {
        let clock = ManualClock()
        let loop = try EventLoop(clocks: clock.clocks)
        var ended = 0
        let ending = TurnSource(on: loop, at: .endOfTurn) { ended += 1 }
        @Sendable func forever() { loop.execute { forever() } }
        forever()
        for round in 1...2 {
            ending.arm()
            try loop.turn()
            clock.advance(by: .microseconds(249))
            try loop.turn()
            #expect(ended == round - 1)
            clock.advance(by: .microseconds(1))
            try loop.turn()
            #expect(ended == round)
        }
        withExtendedLifetime(ending) {}
    }

    @Test("A turn source that is released while armed does not run, also when another's handler does it")
    func releasedTurnSource() throws {
        let loop = try EventLoop()
        let seen = Log()
        var sources: [TurnSource] = []
        for number in 0..<3 {
            sources.append(
                TurnSource(on: loop, at: .endOfTurn) {
                    seen.add("\(number)")
                    sources.removeLast(sources.count - 1)
                })
            sources[number].arm()
        }
        try loop.runUntilIdle()
        #expect(seen.lines == ["0"])
        sources = []
        try loop.runUntilIdle()
        #expect(seen.lines == ["0"])
    }

    @Test("The loop runs until it is stopped, woken by other threads, and returns the exit code") func run() throws {
        let loop = try EventLoop()
        let pool = WorkerPool(on: loop)
        let engine = Engine(loop: loop)
        engine.assumeIsolated { engine in
            _ = Task.immediate {
                _ = engine
                _ = try? await pool.run(.files, deadline: .seconds(60)) { usleep(1000) }
                loop.stop(exitCode: 3)
            }
        }
        #expect(try loop.run() == 3)
    }

    @Test("Tasks of others that call the actor run on its thread") func remote() async throws {
        let loop = try EventLoop()
        let engine = Engine(loop: loop)
        let calls = (0..<50).map { _ in Task.detached { await engine.log().count } }
        let all = Task.detached {
            for call in calls { _ = await call.value }
            loop.execute { loop.stop() }
        }
        #expect(try runs(loop) == 0)
        await all.value
    }

    @Test("A source that is made on another thread while the loop runs ends the process") func wrongThread() async {
        await #expect(processExitsWith: .failure) {
            try makeSourceElsewhere()
        }
    }

    private func runs(_ loop: EventLoop) throws -> Int32 { try loop.run() }
}

/// In a turn that lasts until the process has ended.
private func makeSourceElsewhere() throws {
    let loop = try EventLoop()
    let engine = Engine(loop: loop)
    loop.execute {
        engine.assumeIsolated { engine in
            let pool = WorkerPool(on: loop)
            _ = Task.immediate {
                _ = engine
                _ = try? await pool.run(.files, deadline: .seconds(60)) { _ = TurnSource(on: loop, at: .endOfTurn) {} }
            }
        }
        sleep(20)
    }
    try loop.turn()
}
