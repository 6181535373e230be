// SPDX-License-Identifier: Apache-2.0
import EventLoop
import TestGround
import Testing

@Suite(.blocking) struct TimerTests {
    private let stage: Stage
    init() throws { stage = try Stage() }

    private func timer(
        _ name: String, _ clock: TimerClock = .monotonic, slack: Duration = .zero
    ) -> LoopTimer {
        LoopTimer(on: stage.loop, clock: clock, slack: slack) { [log = stage.log] in log.add(name) }
    }

    @Test("Timers fire in the order of their moments, and of their scheduling where these are equal") func order()
        throws
    {
        let timers = ["b", "a", "c", "a too"].map { timer($0) }
        for (timer, seconds) in zip(timers, [2, 1, 3, 1]) { timer.schedule(after: .seconds(seconds)) }
        try stage.loop.runUntilIdle()
        #expect(stage.log.lines == [])
        stage.clock.advance(by: .seconds(1))
        try stage.loop.runUntilIdle()
        #expect(stage.log.lines == ["a", "a too"])
        stage.clock.advance(by: .seconds(9))
        try stage.loop.runUntilIdle()
        #expect(stage.log.lines == ["a", "a too", "b", "c"])
        #expect(timers.allSatisfy { $0.deadline == nil })
    }

    @Test("Each of a thousand timers fires once, also where many were moved and cancelled") func many() throws {
        let timers = (0..<1000).map { timer("\($0)") }
        for (number, timer) in timers.enumerated() { timer.schedule(after: .milliseconds(number * 7919 % 1000)) }
        for number in stride(from: 0, to: 1000, by: 3) { timers[number].cancel() }
        for number in stride(from: 1, to: 1000, by: 3) { timers[number].schedule(after: .milliseconds(number)) }
        for _ in 0..<1000 {
            stage.clock.advance(by: .milliseconds(1))
            try stage.loop.runUntilIdle()
        }
        let expected = (0..<1000).filter { $0 % 3 != 0 }
            .map { number in (time: number % 3 == 1 ? number : number * 7919 % 1000, number: number) }
        #expect(stage.log.lines.count == expected.count)
        #expect(Set(stage.log.lines) == Set(expected.map { "\($0.number)" }))
    }

    @Test("A timer that is scheduled by its own handler fires again, and not in the same turn") func again() throws {
        let log = stage.log
        var timer: LoopTimer?
        timer = LoopTimer(on: stage.loop) {
            log.add("tick")
            if log.lines.count < 3 { timer?.schedule(after: .zero) }
        }
        timer?.schedule(after: .seconds(1))
        stage.clock.advance(by: .seconds(1))
        try stage.loop.turn(timeout: .zero)
        #expect(log.lines == ["tick"])
        try stage.loop.runUntilIdle()
        #expect(log.lines == ["tick", "tick", "tick"])
        timer = nil
    }

    @Test("A timer that was released or cancelled does not fire, also not when another timer's handler does it")
    func released() throws {
        var later: LoopTimer? = timer("released")
        let cancelled = timer("cancelled")
        let first = LoopTimer(on: stage.loop) {
            later = nil
            cancelled.cancel()
        }
        first.schedule(after: .seconds(1))
        later?.schedule(after: .seconds(2))
        cancelled.schedule(after: .seconds(2))
        stage.clock.advance(by: .seconds(3))
        try stage.loop.runUntilIdle()
        #expect(stage.log.lines == [])
        #expect(later == nil)
    }

    @Test("Sleep counts for CLOCK_BOOTTIME alone, and a wall clock that is set moves no timer") func clocks() throws {
        let timers = [timer("awake"), timer("at all", .boottime)]
        for timer in timers { timer.schedule(after: .seconds(60)) }
        stage.clock.wall += 86_400_000
        try stage.loop.runUntilIdle()
        stage.clock.wall -= 2 * 86_400_000
        try stage.loop.runUntilIdle()
        #expect(stage.log.lines == [])
        stage.clock.sleep(for: .seconds(60))
        try stage.loop.runUntilIdle()
        #expect(stage.log.lines == ["at all"])
        stage.clock.advance(by: .seconds(60))
        try stage.loop.runUntilIdle()
        #expect(stage.log.lines == ["at all", "awake"])
    }

    @Test("A timer with slack waits for another's wake-up, at most as long as its slack") func slack() throws {
        let timers = [timer("lax", slack: .seconds(5)), timer("lax alone", slack: .seconds(5)), timer("exact")]
        timers[0].schedule(after: .seconds(1))
        timers[1].schedule(after: .seconds(9))
        timers[2].schedule(after: .seconds(3))
        for _ in 0..<14 {
            stage.clock.advance(by: .seconds(1))
            try stage.loop.runUntilIdle()
            if stage.clock.clocks.monotonic().nanoseconds == 3_000_000_000 { #expect(stage.log.lines == []) }
        }
        #expect(stage.log.lines == ["exact", "lax", "lax alone"])
    }

    @Test(
        "On the kernel's clocks a timer fires at its time, and never before",
        arguments: [TimerClock.monotonic, .boottime])
    func kernel(clock: TimerClock) throws {
        let loop = try EventLoop()
        var firedAt: [Instant] = []
        let timers = (0..<2).map { _ in LoopTimer(on: loop, clock: clock) { firedAt.append(loop.clocks.now(clock)) } }
        let start = loop.clocks.now(clock)
        timers[0].schedule(at: start + .milliseconds(40))
        timers[1].schedule(at: start + .milliseconds(20))
        try #require(try loop.run(until: { firedAt.count == 2 }))
        #expect(firedAt[0] >= start + .milliseconds(20) && firedAt[0] < firedAt[1])
        #expect(firedAt[1] >= start + .milliseconds(40))
        timers[0].schedule(at: start)
        try #require(try loop.run(until: { firedAt.count == 3 }))
    }
}
