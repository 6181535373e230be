// SPDX-License-Identifier: Apache-2.0
package import EventLoop

/// The program that prompts the user, and where it is shown. Must be retained while the loop runs: it reaps the
/// programs that it has started, and its release waits for those.
package struct Prompter {
    private let launcher: ProgramLauncher
    private let end: @Sendable (String) -> String?
    private let environment: () async -> PromptEnvironment
    private var path: String?
    private var list = PrompterList()
    private var terminal: PromptEnvironment.Terminal?

    /// - Parameters:
    ///   - pool: inspects files and starts programs.
    ///   - end: the path, free of links, of the file that an absolute path leads to; nil unless only root determines
    ///     it: root owns the file and every directory and link on its path. Called on a thread of the pool.
    ///   - environment: where prompts are shown; called before each prompt.
    package init(
        on loop: EventLoop, pool: WorkerPool, end: @escaping @Sendable (String) -> String?,
        environment: @escaping () async -> PromptEnvironment
    ) {
        launcher = ProgramLauncher(on: loop, pool: pool)
        self.end = end
        self.environment = environment
    }

    /// The same with the configured program, nil for the first usual one, on a terminal that the user has passed to it.
    ///
    /// - Parameter list: the programs that may be configured.
    package func using(
        _ path: String?, among list: PrompterList, on terminal: PromptEnvironment.Terminal? = nil
    ) -> Prompter {
        var prompter = self
        prompter.path = path
        prompter.list = list
        prompter.terminal = terminal
        return prompter
    }

    /// Shows the prompt and waits for the answer. Called on an actor whose executor is the loop, one prompt at a time.
    /// Cancelling the task closes the prompt at once.
    ///
    /// - Parameter limit: how long the user may take to answer.
    package func ask(_ prompt: Prompt, within limit: Duration) async -> PromptOutcome {
        if Task.isCancelled { return .withdrawn }
        let outcome = await outcome(of: prompt, within: limit)
        // Both may happen in one turn: a cancelled question has no answer.
        return Task.isCancelled ? .withdrawn : outcome
    }

    private func outcome(of prompt: Prompt, within limit: Duration) async -> PromptOutcome {
        let session = await environment()
        let target = terminal.map(session.on) ?? session
        guard target.hasDisplay || target.terminal != nil else {
            return .unavailable("the session has no display")
        }
        switch await program(for: target.terminal) {
        case .failure(let refusal): return refusal.outcome
        case .success(let program):
            do throws(PrompterProcess.Failure) {
                let process = try await launcher.start(program, environment: target.environment)
                return try await PinentryDialogue(process).ask(prompt, on: target, within: limit)
            } catch {
                return error.outcome(of: program)
            }
        }
    }

    /// The program to start; searched for on a thread of the pool.
    private func program(for terminal: PromptEnvironment.Terminal?) async -> Result<String, Refusal> {
        let subject = path ?? "pinentry"
        do throws(WaitFailure) {
            return try await launcher.pool.run(.files, about: subject, deadline: ProgramLauncher.deadline) {
                [path, list, end] in Self.program(path, among: list, for: terminal, end: end)
            }
        } catch {
            switch error {
            case .cancelled: return .failure(Refusal(outcome: .withdrawn))
            case .deadline, .busy: return .failure(Refusal("the files of the prompter do not answer"))
            }
        }
    }

    private static func program(
        _ path: String?, among list: PrompterList, for terminal: PromptEnvironment.Terminal?, end: (String) -> String?
    ) -> Result<String, Refusal> {
        if let terminal, !terminal.isOwn {
            return .failure(Refusal("\(terminal.path) does not exist, or is not the user's"))
        }
        let usual = terminal == nil ? PrompterList.usual : PrompterList.usualOnTerminals
        guard let program = path ?? usual.first(where: { end($0).map(list.has) == true }) else {
            return .failure(Refusal("no pinentry is installed"))
        }
        if let refusal = list.refusal(of: program) { return .failure(Refusal("\(program): \(refusal)")) }
        guard program.hasPrefix("/"), let found = end(program) else {
            return .failure(
                Refusal("\(program) is not root's alone: the file and all directories above it must be"))
        }
        guard list.has(found) else {
            return .failure(Refusal("\(program) leads to \(found), which is not an allowed prompter"))
        }
        return .success(program)
    }

    /// Why no prompt is shown.
    private struct Refusal: Error {
        let outcome: PromptOutcome

        init(outcome: PromptOutcome) { self.outcome = outcome }
        init(_ why: String) { outcome = .unavailable(why) }
    }
}

extension PrompterProcess.Failure {
    fileprivate func outcome(of program: String) -> PromptOutcome {
        switch self {
        case .start(let code): .unavailable("\(program) does not start (error \(code))")
        case .notStarted: .unavailable("\(program) does not start in time")
        case .ended, .tooLong: .unavailable("\(program) ended, or sent what is not pinentry's protocol")
        case .timedOut: .timedOut
        case .withdrawn: .withdrawn
        }
    }
}
