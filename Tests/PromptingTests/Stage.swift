// SPDX-License-Identifier: Apache-2.0
import EventLoop
import Prompting
import SecretMemory
import Synchronization
import Testing

/// An actor on a loop that the test's thread drives, and what it needs to prompt the user.
actor Stage {
    nonisolated let loop: EventLoop
    nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }
    let pool: WorkerPool
    private var prompter: Prompter?

    init(clocks: Clocks = .system) throws {
        loop = try EventLoop(clocks: clocks)
        pool = WorkerPool(on: loop)
    }

    /// Begins to prompt at once.
    ///
    /// - Parameters:
    ///   - named: the programs that the administrator names; this one by default.
    ///   - end: where a path leads.
    nonisolated func ask(
        _ prompt: Prompt, by program: String?, on environment: PromptEnvironment = .display,
        among named: [String]? = nil, end: @escaping @Sendable (String) -> String? = { $0 },
        within limit: Duration = .seconds(60)
    ) -> Asking {
        start { stage in
            let list = PrompterList(named: named ?? program.map { [$0] } ?? [])
            let prompter = Prompter(on: stage.loop, pool: stage.pool, end: end, environment: { environment })
                .using(program, among: list)
            // Retained, so that it reaps what it started.
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
            environment: { PromptEnvironment(session: await session.current(over: variables)) })
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

    /// Runs the loop until there is a result.
    nonisolated func word(_ asking: Asking) throws -> String {
        _ = try loop.run(until: { asking.word != nil }, patience: .seconds(60))
        return try #require(asking.word, "it never had a result")
    }
}

/// A task, and its result.
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

extension PromptEnvironment {
    static let display = PromptEnvironment(session: ["DISPLAY": ":7"])
}

extension Prompt {
    static let question = Prompt(
        title: "Password AutoFill", description: "May it?\nProgram: /usr/bin/50%",
        kind: .confirm(yes: "Allow", no: "Do not allow"))
    /// A question with all answers.
    static let choice = Prompt(
        title: "Password AutoFill", description: "May it?", kind: .confirm(yes: "Allow", no: "Do not allow"),
        answers: [
            Answer(.once, "This time"), Answer(.login, "Until logout"), Answer(.allow, "Always"),
            Answer(.never, "Never"),
        ], alternative: Answer(.login, "Until logout"))
    static let secret = Prompt(title: "Password AutoFill", description: "Unlock", kind: .passphrase(error: "Wrong."))
}

extension PromptOutcome {
    /// As one word, with the passphrase in clear.
    var word: String {
        switch self {
        case .confirmed: "confirmed"
        case .answered(let answer): "answered \(answer.rawValue)"
        case .passphrase(let secret): "passphrase " + secret.withUnsafeBytes { String(decoding: $0, as: UTF8.self) }
        case .declined: "declined"
        case .timedOut: "timed out"
        case .withdrawn: "withdrawn"
        case .unavailable: "unavailable"
        }
    }
}
