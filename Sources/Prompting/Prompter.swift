// SPDX-License-Identifier: Apache-2.0

/// The program that asks the person, and where it shows itself.
package struct Prompter: Sendable {
    /// Where no program is set, the first of these that is there. The graphical ones fall back to a terminal themselves.
    package static let known = [
        "pinentry-gnome3", "pinentry-qt", "pinentry-gtk-2", "pinentry", "pinentry-curses", "pinentry-tty",
    ].map { "/usr/bin/\($0)" }

    private let path: String?
    private let isTrusted: @Sendable (String) -> Bool
    private let surroundings: @Sendable () -> PromptSurroundings

    /// - Parameters:
    ///   - path: the one that is set; nil for the first known one.
    ///   - isTrusted: whether root alone decides what lies at an absolute path: the file and all above it are root's.
    ///   - surroundings: where to show it; called before each prompt.
    package init(
        path: String?, isTrusted: @escaping @Sendable (String) -> Bool,
        surroundings: @escaping @Sendable () -> PromptSurroundings
    ) {
        self.path = path
        self.isTrusted = isTrusted
        self.surroundings = surroundings
    }

    /// The same with the program that is set.
    package func using(_ path: String?) -> Prompter {
        Prompter(path: path, isTrusted: isTrusted, surroundings: surroundings)
    }

    /// Shows the prompt and waits for the answer, on the calling thread.
    package func ask(_ prompt: Prompt, withinMilliseconds limit: Int, withdrawal: Withdrawal) -> PromptOutcome {
        if withdrawal.isWithdrawn { return .withdrawn }
        let surroundings = surroundings()
        guard surroundings.hasDisplay || surroundings.terminal != nil else {
            return .unavailable("the session has no display")
        }
        guard let program = path ?? Self.known.first(where: isTrusted) else {
            return .unavailable("no pinentry is installed")
        }
        guard program.hasPrefix("/"), isTrusted(program) else {
            return .unavailable("\(program) is not root's alone: the file and all directories above it must be")
        }
        do throws(PrompterProcess.Failure) {
            let process = try PrompterProcess(
                program, environment: surroundings.environment, withdrawal: withdrawal)
            return try PinentryDialogue(process).ask(prompt, on: surroundings, withinMilliseconds: limit)
        } catch {
            switch error {
            case .start(let code): return .unavailable("\(program) does not start (error \(code))")
            case .ended, .tooLong: return .unavailable("\(program) ended, or said what no pinentry says")
            case .timedOut: return .timedOut
            case .withdrawn: return .withdrawn
            }
        }
    }
}
