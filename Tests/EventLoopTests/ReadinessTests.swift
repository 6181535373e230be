// SPDX-License-Identifier: Apache-2.0
import EventLoop
import Glibc
import Testing

@Suite struct ReadinessTests {
    @Test("A descriptor is waited for until it is ready, hung up or too late, time after time") func waits() throws {
        let stage = try Stage()
        let (near, far) = try socketPair()
        defer { closeAll(near, far) }
        stage.start { stage in
            guard let readiness = try? Readiness(on: stage.loop, descriptor: near) else { return }
            stage.log.add(await outcome(readiness, .writable))
            stage.log.add(await outcome(readiness, .readable))
            _ = receive(near)
            let deadline = stage.loop.clocks.monotonic() + .seconds(1)
            stage.log.add(await outcome(readiness, .readable, until: deadline))
            stage.log.add(await outcome(readiness, .writable, until: deadline))
            stage.log.add(await outcome(readiness, .readable))
        }
        try stage.loop.runUntilIdle()
        #expect(stage.log.lines == ["()"])
        write(far, "more")
        try stage.loop.runUntilIdle()
        #expect(stage.log.lines == ["()", "()"])
        stage.clock.advance(by: .seconds(1))
        try stage.loop.runUntilIdle()
        #expect(stage.log.lines == ["()", "()", "deadline", "deadline"])
        shutdown(far, Int32(SHUT_RDWR))
        try stage.loop.runUntilIdle()
        #expect(stage.log.lines.last == "()")
    }

    @Test("Cancelled, it is waited for no more") func cancelled() throws {
        let stage = try Stage()
        let (near, far) = try socketPair()
        defer { closeAll(near, far) }
        stage.start { stage in
            guard let readiness = try? Readiness(on: stage.loop, descriptor: near) else { return }
            stage.log.add(await outcome(readiness, .readable))
        }
        try stage.loop.runUntilIdle()
        stage.cancel(0)
        try stage.loop.runUntilIdle()
        #expect(stage.log.lines == ["cancelled"])
    }
}

private func outcome(_ readiness: Readiness, _ events: IOEvents, until deadline: Instant? = nil) async -> String {
    await words { () throws(WaitFailure) in try await readiness.wait(for: events, until: deadline) }
}
