// SPDX-License-Identifier: Apache-2.0
internal import EventLoop
internal import SecretMemory

/// Questions with a few answers: by two buttons, by three where the prompter has them, and on a terminal and GNOME by a list.
extension PinentryDialogue {
    /// How often the number of an answer is asked for.
    private static let numberTries = 3

    func confirm(
        _ prompt: Prompt, yes: String, no: String, flavour: String, within limit: Duration
    ) async throws(PrompterProcess.Failure) -> PromptOutcome {
        let isCurses = flavour == "curses" || flavour.hasSuffix(":curses")
        // GNOME's shell gives the focus to the button of SETOK: Return, which the user may be typing, would be a yes.
        let beginsOnYes = flavour.hasPrefix("gnome3") && !isCurses
        if beginsOnYes || (isCurses || flavour == "tty") && !prompt.answers.isEmpty,
            let outcome = try await select(from: prompt, within: limit)
        {
            if prompt.answers.isEmpty, case .answered = outcome { return .confirmed }
            return outcome
        }
        if beginsOnYes { return .unavailable("the list of answers does not fit below the question") }
        let hasThreeButtons = flavour == "gtk2" || flavour.hasPrefix("qt") && !isCurses
        let alternative = hasThreeButtons ? prompt.alternative : nil
        // The other graphical ones begin on Cancel. On a terminal the first button has the focus, and Return presses it.
        try await send("SETOK", isCurses ? no : yes)
        if isCurses { try await send("SETNOTOK", yes) }
        if let alternative { try await send("SETNOTOK", alternative.label) }
        try await send("SETCANCEL", isCurses ? "Cancel" : no)
        switch try await answer(to: "CONFIRM", until: process.loop.clocks.monotonic() + limit) {
        case .ok: return isCurses ? .declined : .confirmed
        // The button of SETNOTOK; Cancel, Escape and a closed window are another error where it is set.
        case .failed(.notConfirmed):
            if let alternative { return .answered(alternative.answer) }
            return isCurses ? .confirmed : .declined
        case .failed(let error): return error.outcome
        }
    }

    /// Lists a prompt's answers, of which the user types the number. Nothing typed, and no such number three times, is no.
    ///
    /// - Returns: nil where they do not fit below the question.
    private func select(
        from prompt: Prompt, within limit: Duration
    ) async throws(PrompterProcess.Failure) -> PromptOutcome? {
        let answers = prompt.listedAnswers
        guard AssuanText.line("SETDESC", prompt.listing) != nil,
            case .ok = try await answer(to: "SETDESC", prompt.listing, until: soon)
        else { return nil }
        try await send("SETPROMPT", "Number:")
        try await send("SETOK", "Answer")
        try await send("SETCANCEL", "Not now")
        let deadline = process.loop.clocks.monotonic() + limit
        for _ in 0..<Self.numberTries {
            let left = deadline - process.loop.clocks.monotonic()
            let outcome = try await passphrase(within: left)
            guard case .passphrase(let typed) = outcome else { return outcome }
            if typed.count == 0 { return .declined }
            if let number = Self.digit(typed), answers.indices.contains(number - 1) {
                return .answered(answers[number - 1].answer)
            }
            try await send("SETERROR", "Type one of the numbers.")
        }
        return .declined
    }

    /// The one digit that was typed; nil for anything else.
    private static func digit(_ typed: SecretBytes) -> Int? {
        typed.withUnsafeBytes { $0.count == 1 && 0x30...0x39 ~= $0[0] ? Int($0[0] - 0x30) : nil }
    }
}
