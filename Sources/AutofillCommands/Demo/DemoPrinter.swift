// SPDX-License-Identifier: Apache-2.0
import AutofillClient
import AutofillProtocol

/// Prints what happens in the demo: for people with arrows, with `--json` one object a line.
struct DemoPrinter: Sendable {
    let console: Console
    let isJSON: Bool
    /// Lines of the terminal that one line of JSON may take.
    private static let rows = 5

    /// A line of explanation.
    func say(_ text: String, _ style: Console.Style? = nil) {
        if isJSON { return event("step", text) }
        for line in text.wrapped(toColumns: console.width ?? 100) {
            console.print(style.map { console.styled(line, $0) } ?? line)
        }
    }

    /// The heading of a step.
    func begin(_ title: String) {
        if !isJSON { console.print() }
        say(title, .bold)
    }

    /// For a connection of the demo.
    var transcript: Transcript {
        { [self] line in
            switch line {
            case .sent(let text): show("→", "sent", text, nil)
            case .received(let text): show("←", "received", text, .green)
            }
        }
    }

    func journal(_ lines: [String]) {
        for line in lines { show("journal │", "journal", line, .yellow) }
    }

    private func show(_ mark: String, _ type: StaticString, _ text: String, _ style: Console.Style?) {
        if isJSON { return event(type, text) }
        let text = text.printable
        let indent = mark.columns + 3
        var lines = console.width.map { text.wrapped(toColumns: max(20, $0 - indent)) } ?? [text]
        if lines.count > Self.rows {
            lines =
                lines.prefix(Self.rows - 1) + ["… (\(text.utf8.count) bytes in all; the whole line without a terminal)"]
        }
        for (index, line) in lines.enumerated() {
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
