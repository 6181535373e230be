// SPDX-License-Identifier: Apache-2.0
import EventLoop
import Testing

@testable import AutofillService

@Suite("Work that several requests wait for")
struct SharedWorkTests {
    /// Owns shared work as the engine does.
    private actor Owner: TaskOwner {
        nonisolated let loop: EventLoop
        nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }
        private let tasks: TaskStarter
        private let shared: SharedWork<String, Int>
        private var gates: [Wait<Int>] = []
        private(set) var outcomes: [String] = []

        init(_ loop: EventLoop) {
            self.loop = loop
            tasks = TaskStarter(loop)
            shared = SharedWork(tasks, endsUnawaited: true)
        }

        func begin() { tasks.owner = self }

        nonisolated func start(_ body: @escaping TaskStarter.Body) -> Task<Void, Never> {
            nonisolated(unsafe) let body = body
            return assumeIsolated { $0.begin(body) }
        }

        private func begin(_ body: @escaping TaskStarter.Body) -> Task<Void, Never> {
            Task.immediate {
                await body(); _ = self
            }
        }

        /// Waits for work that ends when its gate opens, also when it is cancelled before.
        func ask(_ name: String) -> Task<Void, Never> {
            Task.immediate {
                do throws(WaitFailure) {
                    let outcome = try await shared.outcome(of: "key", within: .seconds(1)) { await self.work() }
                    outcomes.append("\(name) \(outcome)")
                } catch {
                    outcomes.append("\(name) \(error)")
                }
            }
        }

        private func work() async -> Int {
            let gate = Wait<Int>(on: loop)
            gates.append(gate)
            return (try? await gate.value(onCancel: {})) ?? 0
        }

        var begun: Int { gates.count }

        func open(_ number: Int) { gates[number].resume(returning: number) }
    }

    private let loop: EventLoop
    private let owner: Owner
    private let clock = ManualClock()

    init() throws {
        loop = try EventLoop(clocks: clock.clocks)
        owner = Owner(loop)
        owner.assumeIsolated { $0.begin() }
    }

    private func on<Result: Sendable>(_ body: @escaping @Sendable (isolated Owner) -> Result) throws -> Result {
        let result = owner.assumeIsolated { body($0) }
        try loop.runUntilIdle()
        return result
    }

    @Test("It is begun once, and its result is given to all that wait")
    func once() throws {
        for name in ["a", "b"] { _ = try on { $0.ask(name) } }
        #expect(try on { $0.begun } == 1)
        try on { $0.open(0) }
        #expect(try on { $0.outcomes } == ["a 0", "b 0"])
    }

    @Test("Work that nobody waits for any more and that ends late gives no result for the work that replaced it")
    func late() throws {
        let first = try on { $0.ask("a") }
        try on { _ in first.cancel() }
        _ = try on { $0.ask("b") }
        #expect(try on { $0.begun } == 2)
        try on { $0.open(0) }
        #expect(try on { $0.outcomes } == ["a cancelled"])
        try on { $0.open(1) }
        #expect(try on { $0.outcomes } == ["a cancelled", "b 1"])
    }

    @Test("A request that has waited for its time ends, and the others wait on")
    func deadline() throws {
        _ = try on { $0.ask("a") }
        clock.advance(by: .milliseconds(600))
        _ = try on { $0.ask("b") }
        clock.advance(by: .milliseconds(600))
        #expect(try on { $0.outcomes }.isEmpty)
        #expect(try on { $0.outcomes } == ["a deadline"])
        try on { $0.open(0) }
        #expect(try on { $0.outcomes } == ["a deadline", "b 0"])
    }
}
