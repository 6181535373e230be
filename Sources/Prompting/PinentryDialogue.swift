// SPDX-License-Identifier: Apache-2.0
internal import CAutofillLinux
internal import EventLoop
internal import SecretMemory

/// The conversation with one pinentry (GnuPG's prompters; their manual, "Implementing a pinentry client").
struct PinentryDialogue {
    /// The time limit for answers that need no user.
    private static let answerTime = Duration.seconds(20)
    /// Bytes of a passphrase at most.
    private static let passphraseBytes = 1024

    let process: PrompterProcess

    init(_ process: PrompterProcess) async throws(PrompterProcess.Failure) {
        self.process = process
        // Its greeting.
        guard case .ok = try await answer(until: soon) else { throw .ended }
    }

    /// Shows the prompt, and waits for the user.
    func ask(
        _ prompt: Prompt, on environment: PromptEnvironment, within limit: Duration
    ) async throws(PrompterProcess.Failure) -> PromptOutcome {
        for (name, value) in environment.options { try await send("OPTION", "\(name)=\(value)") }
        // It supports no window of Wayland's, and an older one none at all.
        if let window = prompt.x11Window { try await send("OPTION", "parent-wid=\(window)") }
        let flavour = try await flavour()
        // A little earlier than our own limit, so that it closes its window itself.
        try await send("SETTIMEOUT", String(max(1, limit.components.seconds - 1)))
        try await send("SETTITLE", prompt.title)
        // Without it the user would not see the question.
        guard case .ok = try await answer(to: "SETDESC", prompt.description, until: soon) else {
            return .unavailable("the prompter does not show the question")
        }
        switch prompt.kind {
        case .confirm(let yes, let no):
            return try await confirm(prompt, yes: yes, no: no, flavour: flavour, within: limit)
        case .passphrase(let error):
            try await send("SETPROMPT", "Passphrase:")
            try await send("SETOK", "Unlock")
            try await send("SETCANCEL", "Cancel")
            if let error { try await send("SETERROR", error) }
            return try await passphrase(within: limit)
        case .number(let error):
            try await send("SETPROMPT", "Number:")
            try await send("SETOK", "Fill")
            try await send("SETCANCEL", "Do not fill")
            if let error { try await send("SETERROR", error) }
            return try await passphrase(within: limit)
        }
    }

    func passphrase(within limit: Duration) async throws(PrompterProcess.Failure) -> PromptOutcome {
        let memory = UnsafeMutableRawBufferPointer(
            start: af_secret_alloc(Self.passphraseBytes), count: Self.passphraseBytes)
        defer { af_secret_free(memory.baseAddress, memory.count) }
        var written = 0
        var fits = true
        let answer = try await answer(to: "GETPIN", until: process.loop.clocks.monotonic() + limit) { data in
            fits = fits && AssuanText.decode(data, into: memory, at: &written)
        }
        switch answer {
        case .failed(let error): return error.outcome
        case .ok:
            guard fits else { return .declined }
            return .passphrase(SecretBytes(copying: UnsafeRawBufferPointer(rebasing: memory[..<written])))
        }
    }

    /// `curses`, `tty`, `gtk2:curses`; empty where it does not report it.
    private func flavour() async throws(PrompterProcess.Failure) -> String {
        var flavour = ""
        _ = try await answer(to: "GETINFO", "flavor", until: soon) { flavour = String(decoding: $0, as: UTF8.self) }
        return flavour
    }

    /// Sends a command; one that it does not know, or that fits on no line, is left out.
    func send(_ command: String, _ parameter: String) async throws(PrompterProcess.Failure) {
        _ = try await answer(to: command, parameter, until: soon)
    }

    var soon: Instant { process.loop.clocks.monotonic() + Self.answerTime }

    enum Answer {
        case ok
        case failed(PinentryError)
    }

    /// Sends a command, where there is one, and reads up to the answer's last line; `take` receives the data lines.
    func answer(
        to command: String? = nil, _ parameter: String? = nil, until deadline: Instant,
        _ take: (UnsafeRawBufferPointer) -> Void = { _ in }
    ) async throws(PrompterProcess.Failure) -> Answer {
        if let command {
            guard let line = AssuanText.line(command, parameter) else { return .failed(.lineTooLong) }
            try await process.send(line, until: deadline)
        }
        while true {
            let end: Answer? = try await process.nextLine(until: deadline) {
                line throws(PrompterProcess.Failure) in
                if line.begins(with: "D ") {
                    take(UnsafeRawBufferPointer(rebasing: line[2...]))
                    return nil
                }
                if line.begins(with: "OK") { return .ok }
                if line.begins(with: "ERR ") { return .failed(PinentryError(line)) }
                // Status and comment lines. An inquiry cannot be answered.
                guard line.begins(with: "S ") || line.begins(with: "#") else { throw .ended }
                return nil
            }
            if let end { return end }
        }
    }
}

extension UnsafeRawBufferPointer {
    fileprivate func begins(with text: StaticString) -> Bool {
        text.withUTF8Buffer { text in count >= text.count && zip(self, text).allSatisfy { $0 == $1 } }
    }
}
