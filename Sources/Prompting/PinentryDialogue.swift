// SPDX-License-Identifier: Apache-2.0
internal import CAutofillLinux
internal import SecretMemory

/// The conversation with one pinentry (GnuPG's prompters; their manual, "Implementing a pinentry client").
struct PinentryDialogue {
    /// How long it may take to answer what needs no person.
    private static let answerMilliseconds = 20_000
    /// Bytes of a passphrase at most.
    private static let passphraseBytes = 1024

    private let process: PrompterProcess

    init(_ process: PrompterProcess) throws(PrompterProcess.Failure) {
        self.process = process
        // Its greeting.
        guard case .ok = try answer() else { throw .ended }
    }

    /// Asks, and waits for the person.
    func ask(
        _ prompt: Prompt, on surroundings: PromptSurroundings, withinMilliseconds limit: Int
    ) throws(PrompterProcess.Failure) -> PromptOutcome {
        for (name, value) in surroundings.options { try tell("OPTION", "\(name)=\(value)") }
        let flavour = try flavour()
        let isTerminal = flavour == "curses" || flavour.hasSuffix(":curses")
        // A little earlier than our own limit, so that it takes its window away itself.
        try tell("SETTIMEOUT", String(max(1, limit / 1000 - 1)))
        try tell("SETTITLE", prompt.title)
        try tell("SETDESC", prompt.description)
        switch prompt.kind {
        case .confirm(let yes, let no):
            // The graphical ones begin on Cancel. On a terminal the first button has the focus, and Return presses it.
            try tell("SETOK", isTerminal ? no : yes)
            if isTerminal { try tell("SETNOTOK", yes) }
            try tell("SETCANCEL", isTerminal ? "Cancel" : no)
            try process.send(AssuanText.line("CONFIRM"))
            switch try answer(withinMilliseconds: limit) {
            case .ok: return isTerminal ? .declined : .confirmed
            case .failed(.notConfirmed): return isTerminal ? .confirmed : .declined
            case .failed(let error): return error.outcome
            }
        case .passphrase(let error):
            try tell("SETPROMPT", "Passphrase:")
            try tell("SETOK", "Unlock")
            try tell("SETCANCEL", "Cancel")
            if let error { try tell("SETERROR", error) }
            return try passphrase(withinMilliseconds: limit)
        }
    }

    private func passphrase(withinMilliseconds limit: Int) throws(PrompterProcess.Failure) -> PromptOutcome {
        let memory = UnsafeMutableRawBufferPointer(
            start: af_secret_alloc(Self.passphraseBytes), count: Self.passphraseBytes)
        defer { af_secret_free(memory.baseAddress, memory.count) }
        var written = 0
        var fits = true
        try process.send(AssuanText.line("GETPIN"))
        let answer = try answer(withinMilliseconds: limit) { data in
            fits = fits && AssuanText.decode(data, into: memory, at: &written)
        }
        switch answer {
        case .failed(let error): return error.outcome
        case .ok:
            guard fits else { return .declined }
            return .passphrase(SecretBytes(copying: UnsafeRawBufferPointer(rebasing: memory[..<written])))
        }
    }

    /// `curses`, `tty`, `gtk2:curses`; empty where it does not say.
    private func flavour() throws(PrompterProcess.Failure) -> String {
        var flavour = ""
        try process.send(AssuanText.line("GETINFO", "flavor"))
        _ = try answer { flavour = String(decoding: $0, as: UTF8.self) }
        return flavour
    }

    /// Sends a command; one that it does not know is left out.
    private func tell(_ command: String, _ parameter: String) throws(PrompterProcess.Failure) {
        try process.send(AssuanText.line(command, parameter))
        _ = try answer()
    }

    private enum Answer {
        case ok
        case failed(PinentryError)
    }

    /// Reads up to the answer's last line; `take` gets the data lines.
    private func answer(
        withinMilliseconds limit: Int = PinentryDialogue.answerMilliseconds,
        _ take: (UnsafeRawBufferPointer) -> Void = { _ in }
    ) throws(PrompterProcess.Failure) -> Answer {
        while true {
            let end: Answer? = try process.nextLine(withinMilliseconds: limit) {
                line throws(PrompterProcess.Failure) in
                if line.begins(with: "D ") {
                    take(UnsafeRawBufferPointer(rebasing: line[2...]))
                    return nil
                }
                if line.begins(with: "OK") { return .ok }
                if line.begins(with: "ERR ") { return .failed(PinentryError(line)) }
                // Status and comment lines. An inquiry is nothing that we could answer.
                guard line.begins(with: "S ") || line.begins(with: "#") else { throw .ended }
                return nil
            }
            if let end { return end }
        }
    }
}

/// What an `ERR` line says: the lower 16 bits of its number are libgpg-error's code.
enum PinentryError: Hashable {
    case timedOut, cancelled, notConfirmed
    case other(Int)

    init(_ line: UnsafeRawBufferPointer) {
        let digits = line.dropFirst(4).prefix { $0 >= 0x30 && $0 <= 0x39 }.prefix(12)
        let code = digits.reduce(0) { $0 * 10 + Int($1 - 0x30) } & 0xFFFF
        self =
            switch code {
            case 62: .timedOut
            case 99, 198: .cancelled
            case 114: .notConfirmed
            default: .other(code)
            }
    }

    var outcome: PromptOutcome {
        switch self {
        case .timedOut: .timedOut
        case .cancelled, .notConfirmed: .declined
        case .other(let code): .unavailable("the prompter failed with error \(code)")
        }
    }
}

extension UnsafeRawBufferPointer {
    fileprivate func begins(with text: StaticString) -> Bool {
        text.withUTF8Buffer { text in count >= text.count && zip(self, text).allSatisfy { $0 == $1 } }
    }
}
