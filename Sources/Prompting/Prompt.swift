// SPDX-License-Identifier: Apache-2.0
package import SecretMemory

/// One question to the user: what a prompter shows.
package struct Prompt: Hashable, Sendable {
    package enum Kind: Hashable, Sendable {
        /// Two buttons; the second one is the default where the prompter knows of defaults.
        case confirm(yes: String, no: String)
        /// Hidden text; `error` describes the previous input.
        case passphrase(error: String?)
        /// The number before one of the lines; `error` describes the previous input. It is entered like a passphrase:
        /// hidden, since a prompter has no other text field.
        case number(error: String?)
    }

    /// One of the answers to a question with two buttons.
    package struct Answer: Hashable, Sendable {
        package let answer: ConsentAnswer
        package let label: String

        package init(_ answer: ConsentAnswer, _ label: String) { (self.answer, self.label) = (answer, label) }
    }

    package let title: String
    /// Lines; text from apps is in it as `PromptText` made it.
    package let description: String
    package let kind: Kind
    /// The window that it belongs to, `x11:` and its number in hexadecimal (as xdg-desktop-portal names windows); what
    /// is no such name is passed over.
    package let parentWindow: String?
    /// All answers but a plain no: a terminal and GNOME list them, and one is selected by its number.
    package let answers: [Answer]
    /// Another yes: a third button, where the prompter has three.
    package let alternative: Answer?

    package init(
        title: String, description: String, kind: Kind, parentWindow: String? = nil, answers: [Answer] = [],
        alternative: Answer? = nil
    ) {
        self.answers = answers
        self.alternative = alternative
        self.parentWindow = parentWindow
        self.title = title
        self.description = description
        self.kind = kind
    }
}

/// The outcome of a question. All but the first three mean no, once.
package enum PromptOutcome: Sendable {
    case confirmed
    /// One of the prompt's answers, or its alternative.
    case answered(ConsentAnswer)
    case passphrase(SecretBytes)
    /// The other button, Escape, or the window was closed.
    case declined
    case timedOut
    /// The requester does not wait for the answer any more.
    case withdrawn
    /// There is no prompter, it could not be started, or it ended; why, for the journal.
    case unavailable(String)
}

extension Prompt {
    /// The answers of a list: of two buttons, the yes.
    var listedAnswers: [Answer] {
        guard answers.isEmpty, case .confirm(let yes, _) = kind else { return answers }
        return [Answer(.once, yes)]
    }

    /// The question with a list of its answers below it, as a terminal and GNOME show it.
    package var listing: String {
        let lines = listedAnswers.enumerated().map { "\n\($0 + 1)  \($1.label)" }.joined()
        return "\(description)\n\(lines)"
    }

    /// The number of the window that it belongs to; nil where that is none of X11.
    var x11Window: UInt32? {
        guard let parentWindow, parentWindow.hasPrefix("x11:") else { return nil }
        return UInt32(parentWindow.dropFirst(4).drop { $0 == "0" || $0 == "x" }, radix: 16)
    }
}
