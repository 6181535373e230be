// SPDX-License-Identifier: Apache-2.0
import Support
import Testing

@testable import AutofillService

@Suite("The end of a turn is requested")
struct TurnEndTests {
    private final class Counter: EngineSubscriber {
        var armed = 0

        func armTurnEnd() { armed += 1 }

        func statusChanged(_ line: String, mayWait: Bool) {}
    }

    @Test("Once until it comes, and again after it, and while upkeep may have something new for it")
    func counted() throws {
        let daemon = try TestService(isCreated: false)
        let counts = try daemon.onEngine { engine -> [Int] in
            let (counter, turn) = (Counter(), engine.turn)
            let former = turn.subscriber
            turn.subscriber = counter
            turn.begin()
            var counts: [Int] = []
            func arm() {
                turn.arm()
                counts.append(counter.armed)
            }
            arm()
            arm()
            _ = Task.immediate { await engine.keepUp() }
            arm()
            arm()
            engine.endTurn { _, _ in }
            arm()
            arm()
            turn.subscriber = former
            turn.begin()
            turn.arm()
            return counts
        }
        #expect(counts == [1, 1, 2, 2, 3, 3])
    }
}
