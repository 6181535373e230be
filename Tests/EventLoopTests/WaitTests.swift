// SPDX-License-Identifier: Apache-2.0
import CAutofillLinux
import EventLoop
import TestGround
import Testing

@Suite(.blocking) struct WaitTests {
    private let stage: Stage
    init() throws { stage = try Stage() }

    @Test("An answer that arrived before is returned at once, without suspension") func before() {
        stage.start { stage in
            stage.wait.resume(returning: 7)
            stage.log.add(await words { () async throws(WaitFailure) in try await stage.wait.value() })
        }
        #expect(stage.log.lines == ["7"])
    }

    @Test("An answer in the turn in which a task began to wait is not lost, and wakes it never within the answer")
    func sameTurn() throws {
        stage.loop.execute { [stage] in
            stage.start { stage in
                stage.log.add(await words { () async throws(WaitFailure) in try await stage.wait.value() })
            }
            stage.log.add("answering")
            stage.assumeIsolated { _ = $0.wait.resume(returning: 7) }
            stage.log.add("answered")
        }
        try stage.loop.runUntilIdle()
        #expect(stage.log.lines == ["answering", "answered", "7"])
    }

    enum Ending: CaseIterable { case answer, refusal, cancelling, deadline }

    @Test("The first of answer, deadline and cancellation counts", arguments: Ending.allCases, Ending.allCases)
    func first(first: Ending, second: Ending) throws {
        let deadline = stage.clock.clocks.monotonic() + .seconds(5)
        stage.start { stage in
            stage.log.add(
                await words { () async throws(WaitFailure) in try await stage.wait.value(until: deadline) })
        }
        try stage.loop.runUntilIdle()
        for ending in [first, second] {
            switch ending {
            case .answer: stage.assumeIsolated { _ = $0.wait.resume(returning: 7) }
            case .refusal: stage.assumeIsolated { _ = $0.wait.resume(throwing: .busy) }
            case .cancelling: stage.cancel(0)
            case .deadline:
                stage.clock.advance(by: .seconds(5))
                try stage.loop.turn(timeout: .zero)
            }
        }
        #expect(stage.assumeIsolated { !$0.wait.resume(returning: 8) })
        try stage.loop.runUntilIdle()
        #expect(
            stage.log.lines == [["7", "busy", "cancelled", "deadline"][Ending.allCases.firstIndex(of: first) ?? 0]])
    }

    @Test("A task that was cancelled before it waits does not wait") func cancelledBefore() throws {
        stage.start { stage in
            _ = await words { () async throws(WaitFailure) in try await stage.list.value() }
            stage.log.add(await words { () async throws(WaitFailure) in try await stage.wait.value() })
        }
        stage.cancel(0)
        try stage.loop.runUntilIdle()
        #expect(stage.log.lines == ["cancelled"])
    }

    @Test("A value that is not Sendable is passed from task to task on the loop") func notSendable() throws {
        final class Secret { var text = "s" }
        stage.start { stage in
            let wait = Wait<Secret>(on: stage.loop)
            wait.resume(returning: Secret())
            if let secret = try? await wait.value() { stage.log.add(secret.text) }
        }
        #expect(stage.log.lines == ["s"])
    }

    @Test(
        "Of 150 waits, answered from the loop and from other threads, every task continues on the loop's thread, in order"
    )
    func thread() throws {
        let stage = try Stage(limits: WorkLimits(running: 1, stuck: 1, waiting: 150))
        let own = threadNumber()
        for number in 0..<150 {
            stage.start { stage in
                _ = await words { () async throws(WaitFailure) in try await stage.list.value() }
                if threadNumber() != own { stage.log.add("elsewhere after a wait") }
                let other = try? await stage.pool.run(.vault, deadline: .seconds(60)) { threadNumber() }
                if threadNumber() != own || other == own { stage.log.add("elsewhere after work") }
                stage.log.add("\(number)")
            }
        }
        try stage.loop.runUntilIdle()
        stage.assumeIsolated { $0.list.resumeAll(returning: "") }
        #expect(try stage.loop.run(until: { stage.log.lines.count >= 150 }))
        #expect(stage.log.lines == (0..<150).map { "\($0)" })
    }

    @Test("Tasks that wait already go on in the order of their answers, however they began, one after the other")
    func order() throws {
        let waits = LoopWaits((0..<3).map { _ in Wait<Int>(on: stage.loop) })
        for number in 0..<3 {
            stage.start { stage in
                let value = try? await waits.all[number].value()
                stage.log.add("\(number): \(value ?? -1)")
            }
        }
        try stage.loop.runUntilIdle()
        stage.loop.execute { for number in [2, 0, 1] { waits.all[number].resume(returning: number) } }
        try stage.loop.runUntilIdle()
        #expect(stage.log.lines == ["2: 2", "0: 0", "1: 1"])
    }

    @Test("So does one that begins to wait in the same turn as the answers")
    func orderOfBeginning() throws {
        let waits = LoopWaits((0..<2).map { _ in Wait<Int>(on: stage.loop) })
        @Sendable func start(_ number: Int) {
            stage.start { stage in
                let value = try? await waits.all[number].value()
                stage.log.add("\(number): \(value ?? -1)")
            }
        }
        start(0)
        try stage.loop.runUntilIdle()
        stage.loop.execute {
            start(1)
            for number in 0..<2 { waits.all[number].resume(returning: number) }
        }
        try stage.loop.runUntilIdle()
        #expect(stage.log.lines == ["0: 0", "1: 1"])
    }

    @Test("All waiting tasks continue in the order in which they began, and those that have ended are skipped")
    func list() throws {
        for number in 0..<40 {
            stage.start { stage in
                stage.log.add(
                    "\(number) " + (await words { () async throws(WaitFailure) in try await stage.list.value() }))
            }
        }
        try stage.loop.runUntilIdle()
        #expect(stage.assumeIsolated { $0.list.count } == 40)
        stage.cancel(0)
        stage.cancel(2)
        stage.assumeIsolated { stage in
            stage.list.resumeAll(returning: "all")
            #expect(stage.list.count == 0)
        }
        try stage.loop.runUntilIdle()
        #expect(stage.log.lines == ["0 cancelled", "2 cancelled", "1 all"] + (3..<40).map { "\($0) all" })
    }
}

/// Waits of a loop whose turns are all made by the test's thread.
private final class LoopWaits: @unchecked Sendable {
    // Proof for `@unchecked`: it never changes, and its waits are used on the loop's thread only.
    let all: [Wait<Int>]

    init(_ all: [Wait<Int>]) { self.all = all }
}

func threadNumber() -> UInt { af_thread_identity() }
