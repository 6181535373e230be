// SPDX-License-Identifier: Apache-2.0
package import EventLoop

/// The program that asks the person, and where it shows itself. To be kept as long as the loop turns: it takes the ends of the
/// programs that it has started, and the last copy to go waits for those.
package struct Prompter {
    /// Where no program is set, the first of these that is there. The graphical ones fall back to a terminal themselves.
    package static let known = [
        "pinentry-gnome3", "pinentry-qt", "pinentry-gtk-2", "pinentry", "pinentry-curses", "pinentry-tty",
    ].map { "/usr/bin/\($0)" }

    /// On a terminal; the graphical ones would look for a display.
    package static let knownOnTerminals = ["pinentry-curses", "pinentry-tty", "pinentry"].map { "/usr/bin/\($0)" }

    private let launcher: ProgramLauncher
    private let isTrusted: @Sendable (String) -> Bool
    private let surroundings: () async -> PromptSurroundings
    private var path: String?
    private var terminal: PromptSurroundings.Terminal?

    /// - Parameters:
    ///   - pool: looks at files and starts programs.
    ///   - path: the program that is set; nil for the first known one.
    ///   - isTrusted: whether root alone decides what lies at an absolute path: the file and all above it are root's. Called
    ///     on a thread of the pool.
    ///   - surroundings: where to show it; called before each prompt.
    package init(
        on loop: EventLoop, pool: WorkerPool, path: String? = nil, isTrusted: @escaping @Sendable (String) -> Bool,
        surroundings: @escaping () async -> PromptSurroundings
    ) {
        launcher = ProgramLauncher(on: loop, pool: pool)
        self.path = path
        self.isTrusted = isTrusted
        self.surroundings = surroundings
    }

    /// The same with the program that is set, on a terminal that the person has given to it.
    package func using(_ path: String?, on terminal: PromptSurroundings.Terminal? = nil) -> Prompter {
        var prompter = self
        prompter.path = path
        prompter.terminal = terminal
        return prompter
    }

    /// Shows the prompt and waits for the answer. To be called on an actor whose executor is the loop, one prompt at a time.
    /// Cancelling the task takes the prompt away at once.
    ///
    /// - Parameter limit: how long the person has to answer.
    package func ask(_ prompt: Prompt, within limit: Duration) async -> PromptOutcome {
        if Task.isCancelled { return .withdrawn }
        let outcome = await outcome(of: prompt, within: limit)
        // Both may have come in one turn: a question that was taken back has no answer.
        return Task.isCancelled ? .withdrawn : outcome
    }

    private func outcome(of prompt: Prompt, within limit: Duration) async -> PromptOutcome {
        let session = await surroundings()
        let surroundings = terminal.map(session.on) ?? session
        guard surroundings.hasDisplay || surroundings.terminal != nil else {
            return .unavailable("the session has no display")
        }
        switch await program(for: surroundings.terminal) {
        case .failure(let refusal): return refusal.outcome
        case .success(let program):
            do throws(PrompterProcess.Failure) {
                let process = try await launcher.start(program, environment: surroundings.environment)
                return try await PinentryDialogue(process).ask(prompt, on: surroundings, within: limit)
            } catch {
                return error.outcome(of: program)
            }
        }
    }

    /// The program to be started; looked for on a thread of the pool.
    private func program(for terminal: PromptSurroundings.Terminal?) async -> Result<String, Refusal> {
        do throws(WaitFailure) {
            return try await launcher.pool.run(.files, deadline: ProgramLauncher.deadline) { [path, isTrusted] in
                Self.program(path, for: terminal, isTrusted: isTrusted)
            }
        } catch {
            switch error {
            case .cancelled: return .failure(Refusal(outcome: .withdrawn))
            case .deadline, .busy: return .failure(Refusal("the files of the prompter do not answer"))
            }
        }
    }

    private static func program(
        _ path: String?, for terminal: PromptSurroundings.Terminal?, isTrusted: (String) -> Bool
    ) -> Result<String, Refusal> {
        if let terminal, !terminal.isOwn {
            return .failure(Refusal("\(terminal.path) is gone, or not the user's"))
        }
        let known = terminal == nil ? Self.known : Self.knownOnTerminals
        guard let program = path ?? known.first(where: isTrusted) else {
            return .failure(Refusal("no pinentry is installed"))
        }
        guard program.hasPrefix("/"), isTrusted(program) else {
            return .failure(
                Refusal("\(program) is not root's alone: the file and all directories above it must be"))
        }
        return .success(program)
    }

    /// Why nobody is asked.
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
        case .ended, .tooLong: .unavailable("\(program) ended, or said what no pinentry says")
        case .timedOut: .timedOut
        case .withdrawn: .withdrawn
        }
    }
}
