// SPDX-License-Identifier: Apache-2.0
import CAutofillLinux
import Dispatch
import EventLoop
import Glibc
import TestGround
import Testing

@testable import Prompting

@Suite("How a prompt ends", .serialized, .blocking)
struct PromptEndTests {
    @Test("A cancelled prompt ends with all that it started, and has no answer")
    func withdrawn() throws {
        let test = try TestPrompter(
            "CONFIRM) sleep 1000 & echo $! >\"$log.child\"; echo $$ >\"$log.own\"; wait; echo OK ;;")
        let stage = try Stage()
        let asking = stage.ask(.question, by: test.path)
        try test.run(stage) { !test.numbers("child").isEmpty && !test.numbers("own").isEmpty }
        let started = try test.numbers("child").map { try ProcessWatch($0, on: stage) }
        let own = try #require(test.numbers("own").first)
        asking.cancel()
        #expect(try stage.word(asking) == "withdrawn")
        #expect(try stage.loop.run(until: { started.allSatisfy(\.hasEnded) }))
        // It is off the kernel's list too: nothing has that number any more.
        #expect(try stage.loop.run(until: { kill(own, 0) != 0 }))
    }

    @Test("Where a prompt is cancelled before anything was shown, no program is started")
    func withdrawnAtOnce() throws {
        let test = try TestPrompter("")
        let stage = try Stage()
        let asking = stage.ask(.question, by: test.path)
        asking.cancel()
        #expect(try stage.word(asking) == "withdrawn")
        #expect(test.lines.isEmpty)
    }

    @Test("One that does not answer in time is ended, however much else it sends")
    func silent() throws {
        for answer in ["sleep 1000", "yes 'S KEEPALIVE'"] {
            let test = try TestPrompter("CONFIRM) \(answer) ;;")
            let clock = ManualClock()
            let stage = try Stage(clocks: clock.clocks)
            let asking = stage.ask(.question, by: test.path, within: .seconds(60))
            try test.awaitLine("CONFIRM", on: stage)
            #expect(asking.word == nil)
            clock.advance(by: .seconds(60))
            #expect(try stage.word(asking) == "timed out")
        }
    }

    @Test("A file system that does not answer is waited for a few seconds")
    func hangingFiles() throws {
        let test = try TestPrompter("")
        let clock = ManualClock()
        let stage = try Stage(clocks: clock.clocks)
        let (inspections, continues) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        let asking = stage.ask(
            .question, by: test.path,
            end: { path in
                inspections.signal()
                continues.wait()
                return path
            })
        try stage.loop.runUntilIdle()
        inspections.wait()
        clock.advance(by: .seconds(5))
        #expect(try stage.word(asking) == "unavailable")
        continues.signal()
        #expect(test.lines.isEmpty)
    }

    @Test("While the prompter's file system does not answer, further prompts take no other thread for it")
    func stillHanging() throws {
        let test = try TestPrompter("")
        let clock = ManualClock()
        let stage = try Stage(clocks: clock.clocks)
        let continues = DispatchSemaphore(value: 0)
        for _ in 0..<6 {
            let asking = stage.ask(
                .question, by: test.path,
                end: { path in
                    continues.wait()
                    return path
                })
            try stage.loop.runUntilIdle()
            clock.advance(by: .seconds(5))
            #expect(try stage.word(asking) == "unavailable")
        }
        let stuck = stage.assumeIsolated { $0.pool.stuck(.files) }
        #expect(stuck == 1)
        for _ in 0..<6 { continues.signal() }
        #expect(test.lines.isEmpty)
    }

    @Test("An abandoned start starts nothing, or returns what it has started")
    func abandoned() throws {
        var sockets: [Int32] = [-1, -1]
        try #require(af_socket_pair(&sockets) == 0)
        defer { af_close(sockets[0]) }
        let early = ProgramStart("/bin/true", [], environment: [:], socket: dup(sockets[1]))
        #expect(early.abandon() == nil)
        #expect(early.run() == -ECANCELED)
        let late = ProgramStart("/bin/cat", [], environment: [:], socket: sockets[1])
        let process = late.run()
        #expect(process > 0)
        #expect(late.abandon() == process)
        af_end_prompter(process)
        #expect(kill(process, 0) != 0)
    }
}
