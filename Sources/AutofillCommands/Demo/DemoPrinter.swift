// SPDX-License-Identifier: Apache-2.0
import AutofillClient
import AutofillProtocol

/// Prints the events of the demo: for users with arrows, on two screens or in full; with `--json` one object per line.
struct DemoPrinter: Sendable {
    enum Style: Sendable {
        /// One line for each message that an app sends or receives, with its essential content.
        case short
        /// All that is sent over the socket.
        case full
        case json
    }

    let console: Console
    let style: Style

    private var width: Int { console.width ?? 80 }

    /// A line of explanation.
    func explain(_ text: String, _ style: Console.Style? = nil) {
        if self.style == .json { return event("step", text) }
        for line in text.wrapped(toColumns: width) { console.print(style.map { console.styled(line, $0) } ?? line) }
    }

    /// Printed by --full only.
    func detail(_ text: String) {
        if style != .short { explain(text, .dim) }
    }

    /// The heading of a step.
    func begin(_ title: String) {
        if style == .full { console.print() }
        explain(title, .bold)
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

    /// For the connection of autofillctl itself, whose requests are those of the command that the step names.
    var ownTranscript: Transcript {
        if style == .short { return { _ in } }
        return transcript
    }

    /// Prints journal lines; on two screens only those that match.
    func journal(_ lines: [String], _ isShown: (String) -> Bool = { _ in true }) {
        let shown = style == .short ? lines.filter(isShown) : lines
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
        // Lines in a file or a pipe are not cut.
        let columns = self.style == .full ? console.width ?? .max : width
        for (index, line) in text.wrapped(toColumns: max(20, columns - indent)).enumerated() {
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
