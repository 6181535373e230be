// SPDX-License-Identifier: Apache-2.0
import EventLoop
import Glibc
import Synchronization
import TestGround
import Testing

/// Work that reads from a pipe hangs until its end is closed, like an inspection of a file system that does not answer.
@Suite(.blocking) struct WorkerPoolTests {
    private let stage: Stage
    init() throws { stage = try Stage() }

    private final class Pipe: Sendable {
        let ends: (Int32, Int32)
        init() throws { ends = try socketPair() }
        deinit { close(ends.0) }
        func hang() {
            var byte: UInt8 = 0
            _ = read(ends.0, &byte, 1)
        }
        func letGo() { close(ends.1) }
    }

    private func ask(
        _ name: String, _ lane: WorkLane = .files, about subject: String? = nil,
        _ work: @Sendable @escaping () -> Void
    ) {
        stage.start { stage in
            stage.log.add(
                "\(name): "
                    + (await words { () async throws(WaitFailure) in
                        try await stage.pool.run(lane, about: subject, deadline: .seconds(5), work)
                        return "done"
                    }))
        }
    }

    private func until(_ lines: [String]) throws {
        let done = try stage.loop.run(until: { stage.log.lines.count >= lines.count })
        #expect(done && stage.log.lines == lines)
    }

    @Test("Threads start when there is work, and end when they were idle for a while") func idle() throws {
        #expect(stage.threads == 0)
        ask("a") {}
        #expect(stage.threads == 1)
        try until(["a: done"])
        ask("b") {}
        try until(["a: done", "b: done"])
        #expect(stage.threads == 1)
        stage.clock.advance(by: .seconds(30))
        try stage.loop.runUntilIdle()
        #expect(stage.threads == 0)
    }

    @Test("Counting rules yields to all other threads, and its thread never does other work") func background() throws {
        final class Priorities: Sendable {
            let all = Mutex<[Int32]>([])
            func note() { all.withLock { $0.append(getpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0)) } }
        }
        let priorities = Priorities()
        for (number, lane) in [WorkLane.files, .rules, .files, .rules, .vault].enumerated() {
            ask("\(number)", lane) { priorities.note() }
            try until((0...number).map { "\($0): done" })
        }
        let own = getpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0)
        #expect(priorities.all.withLock { $0 } == [own, own + 10, own, own + 10, own])
        #expect(stage.threads == 2)
    }

    @Test(
        "The requester of hung work continues at the deadline, and only the thread stays blocked; a lane with too many such refuses"
    )
    func stuck() throws {
        let pipe = try Pipe()
        for number in 0..<2 { ask("hung \(number)") { pipe.hang() } }
        ask("behind") {}
        try stage.loop.runUntilIdle()
        #expect(stage.log.lines == [])
        stage.clock.advance(by: .seconds(4))
        ask("late") { pipe.hang() }
        stage.clock.advance(by: .seconds(1))
        // What waits as long as what hangs before it has the same deadline.
        let first = ["hung 0: deadline", "behind: deadline", "hung 1: deadline"]
        try until(first)
        #expect(stage.stuck(.files) == 2)
        ask("next") {}
        try until(first + ["next: done"])
        stage.clock.advance(by: .seconds(5))
        try until(first + ["next: done", "late: deadline"])
        #expect(stage.stuck(.files) == 3)
        ask("refused") {}
        ask("another lane", .vault) {}
        #expect(try stage.loop.run(until: { stage.log.lines.count == 7 }))
        #expect(stage.log.lines.suffix(2) == ["refused: busy", "another lane: done"])
        pipe.letGo()
        #expect(try stage.loop.run(until: { stage.stuck(.files) == 0 }))
        ask("again") {}
        #expect(try stage.loop.run(until: { stage.log.lines.count == 8 }))
        #expect(stage.log.lines.last == "again: done")
    }

    @Test("While work about a subject is late no other about it begins, also none that waits, and all other work does")
    func lateSubject() throws {
        let pipe = try Pipe()
        for number in 0..<2 { ask("hung \(number)", about: "shop") { pipe.hang() } }
        try stage.loop.runUntilIdle()
        stage.clock.advance(by: .seconds(4))
        ask("behind", about: "shop") { pipe.hang() }
        ask("other", about: "bank") {}
        stage.clock.advance(by: .seconds(1))
        #expect(try stage.loop.run(until: { stage.log.lines.count >= 4 }))
        var lines = stage.log.lines
        #expect(lines.sorted() == ["behind: deadline", "hung 0: deadline", "hung 1: deadline", "other: done"])
        for _ in 0..<10 {
            ask("again", about: "shop") { pipe.hang() }
            ask("other again", about: "bank") {}
            lines += ["again: deadline", "other again: done"]
            try until(lines)
        }
        #expect(stage.stuck(.files) == 2)
        // In another lane it has threads of its own.
        ask("another lane", .vault, about: "shop") {}
        lines.append("another lane: done")
        try until(lines)
        pipe.letGo()
        #expect(try stage.loop.run(until: { stage.stuck(.files) == 0 }))
        ask("returned", about: "shop") {}
        try until(lines + ["returned: done"])
    }

    @Test("A full lane refuses at once, and no lane waits for another") func full() throws {
        let pipe = try Pipe()
        for number in 0..<6 { ask("\(number)") { pipe.hang() } }
        ask("too many") {}
        try stage.loop.runUntilIdle()
        #expect(stage.log.lines == ["too many: busy"])
        ask("key", .keyDerivation) {}
        try until(["too many: busy", "key: done"])
        pipe.letGo()
        #expect(try stage.loop.run(until: { stage.log.lines.count == 8 }))
        #expect(stage.log.lines.dropFirst(2).allSatisfy { $0.hasSuffix(": done") })
    }

    @Test("Work whose requester is cancelled before it begins is not begun; begun work continues, without a reader")
    func cancelled()
        throws
    {
        let pipe = try Pipe()
        let log = stage.log
        for number in 0..<2 {
            ask("begun \(number)") {
                pipe.hang()
                log.add("returned")
            }
        }
        ask("waiting") { log.add("begun in vain") }
        try stage.loop.runUntilIdle()
        stage.cancel(2)
        stage.cancel(0)
        try stage.loop.runUntilIdle()
        #expect(log.lines == ["waiting: cancelled", "begun 0: cancelled"])
        pipe.letGo()
        #expect(try stage.loop.run(until: { log.lines.count == 5 }))
        #expect(log.lines.count { $0 == "returned" } == 2 && log.lines.contains("begun 1: done"))
    }
}
