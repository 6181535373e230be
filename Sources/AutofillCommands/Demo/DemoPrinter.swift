// SPDX-License-Identifier: Apache-2.0
import AutofillClient
import AutofillProtocol

/// Prints what happens in the demo: for people with arrows, on two screens or in full; with `--json` one object a line.
struct DemoPrinter: Sendable {
    enum Style: Sendable {
        /// A line each for what an app says and is told, with what matters of it.
        case short
        /// All that goes over the socket.
        case full
        case json
    }

    let console: Console
    let style: Style

    private var width: Int { console.width ?? 80 }

    /// A line of explanation.
    func say(_ text: String, _ style: Console.Style? = nil) {
        if self.style == .json { return event("step", text) }
        for line in text.wrapped(toColumns: width) { console.print(style.map { console.styled(line, $0) } ?? line) }
    }

    /// What only the whole demo shows.
    func detail(_ text: String) {
        if style != .short { say(text, .dim) }
    }

    /// The heading of a step.
    func begin(_ title: String) {
        if style == .full { console.print() }
        say(title, .bold)
    }

    /// For an app's connection.
    var transcript: Transcript {
        { [self] line in
            switch line {
            case .sent(let text): show("→", "sent", text)
            case .received(let text): show("←", "received", text)
            }
        }
    }

    /// For the connection of autofillctl itself: its requests are those of the command that the step names.
    var ownTranscript: Transcript {
        if style == .short { return { _ in } }
        return transcript
    }

    /// What the journal got; on two screens as much of it as is wanted.
    func journal(_ lines: [String], _ isWanted: (String) -> Bool = { _ in true }) {
        let shown = style == .short ? lines.filter(isWanted) : lines
        for line in shown {
            if style == .json { event("journal", line) } else { printWhole("journal │", line.printable, .yellow) }
        }
    }

    private func show(_ mark: String, _ type: StaticString, _ text: String) {
        switch style {
        case .json: event(type, text)
        case .full: printWhole(mark, text.printable, mark == "←" ? .green : nil)
        case .short:
            guard let excerpt = DemoExcerpt(text.printable, columns: width - mark.columns - 3) else { return }
            let essence = excerpt.essence.isEmpty ? "" : console.styled(excerpt.essence, .bold)
            console.print("  \(mark) \(excerpt.before)\(essence)\(excerpt.after)")
        }
    }

    private func printWhole(_ mark: String, _ text: String, _ style: Console.Style?) {
        let indent = mark.columns + 3
        // What goes into a file or a pipe is whole lines.
        let room = self.style == .full ? console.width ?? .max : width
        for (index, line) in text.wrapped(toColumns: max(20, room - indent)).enumerated() {
            let head = index == 0 ? "  \(mark) " : String(repeating: " ", count: indent)
            console.print(head + (style.map { console.styled(line, $0) } ?? line))
        }
    }

    private func event(_ type: StaticString, _ text: String) {
        console.print { writer in
            writer.key("type")
            writer.string(type)
            writer.member("text", text)
        }
    }
}
