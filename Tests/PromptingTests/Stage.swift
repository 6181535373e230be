// SPDX-License-Identifier: Apache-2.0
import EventLoop
import Prompting
import SecretMemory
import Synchronization
import Testing

/// An actor on a loop that the test's thread drives, and what it needs to ask the person.
actor Stage {
    nonisolated let loop: EventLoop
    nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }
    let pool: WorkerPool
    private var prompter: Prompter?

    init(clocks: Clocks = .system) throws {
        loop = try EventLoop(clocks: clocks)
        pool = WorkerPool(on: loop)
    }

    /// Begins to ask, here and now.
    ///
    /// - Parameters:
    ///   - named: the programs that the administrator names; this one where nothing is said.
    ///   - end: where a path leads.
    nonisolated func ask(
        _ prompt: Prompt, by program: String?, on surroundings: PromptSurroundings = .display,
        among named: [String]? = nil, end: @escaping @Sendable (String) -> String? = { $0 },
        within limit: Duration = .seconds(60)
    ) -> Asking {
        start { stage in
            let list = PrompterList(named: named ?? program.map { [$0] } ?? [])
            let prompter = Prompter(on: stage.loop, pool: stage.pool, end: end, surroundings: { surroundings })
                .using(program, among: list)
            // Kept, so that it takes the end of what it started.
            stage.prompter = prompter
            return await prompter.ask(prompt, within: limit).word
        }
    }

    /// Begins to ask as the daemon does, where the session of these variables shows itself.
    nonisolated func ask(_ prompt: Prompt, by program: String, over variables: [String: String]) -> Asking {
        start { stage in
            let prompter = stage.prompter(over: variables)
            return await prompter.using(program, among: PrompterList(named: [program]))
                .ask(prompt, within: .seconds(60)).word
        }
    }

    private func prompter(over variables: [String: String]) -> Prompter {
        let session = SessionEnvironment(on: loop, pool: pool)
        let prompter = Prompter(
            on: loop, pool: pool, end: { $0 },
            surroundings: { PromptSurroundings(session: await session.current(over: variables)) })
        self.prompter = prompter
        return prompter
    }

    /// Starts a task here and now.
    nonisolated func start(_ body: @escaping @Sendable (isolated Stage) async -> String) -> Asking {
        let asking = Asking()
        assumeIsolated { $0.begin(asking, body) }
        return asking
    }

    private func begin(_ asking: Asking, _ body: @escaping @Sendable (isolated Stage) async -> String) {
        let task = Task.immediate { asking.end(await body(self)) }
        asking.keep(task)
    }

    /// Runs the loop until it has come to something.
    nonisolated func word(_ asking: Asking) throws -> String {
        _ = try loop.run(until: { asking.word != nil }, patience: .seconds(60))
        return try #require(asking.word, "it never came to anything")
    }
}

/// A task, and what it came to.
final class Asking: Sendable {
    private struct State {
        var word: String?
        var task: Task<Void, Never>?
    }

    private let state = Mutex(State())

    var word: String? { state.withLock { $0.word } }

    /// On the loop's thread.
    func cancel() { state.withLock { $0.task }?.cancel() }

    fileprivate func end(_ word: String) { state.withLock { $0.word = word } }
    fileprivate func keep(_ task: Task<Void, Never>) { state.withLock { $0.task = task } }
}

extension PromptSurroundings {
    static let display = PromptSurroundings(session: ["DISPLAY": ":7"])
}

extension Prompt {
    static let question = Prompt(
        title: "Password AutoFill", description: "May it?\nProgram: /usr/bin/50%",
        kind: .confirm(yes: "Allow", no: "Do not allow"))
    static let secret = Prompt(title: "Password AutoFill", description: "Unlock", kind: .passphrase(error: "Wrong."))
}

extension PromptOutcome {
    /// In one word, and the passphrase in clear.
    var word: String {
        switch self {
        case .confirmed: "confirmed"
        case .passphrase(let secret): "passphrase " + secret.withUnsafeBytes { String(decoding: $0, as: UTF8.self) }
        case .declined: "declined"
        case .timedOut: "timed out"
        case .withdrawn: "withdrawn"
        case .unavailable: "unavailable"
        }
    }
}
