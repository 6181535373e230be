// SPDX-License-Identifier: Apache-2.0

/// Text in the language of man(7).
package enum Roff {
    /// One line of literal text: no request, no escape, hyphens that can be copied.
    package static func escaped(_ text: String) -> String {
        var escaped = ""
        for character in text {
            switch character {
            case "\\": escaped += #"\e"#
            case "-": escaped += #"\-"#
            case "…": escaped += "..."
            case "\n": escaped += " "
            default: escaped.append(character)
            }
        }
        // At the start of a line these two would begin a request.
        return escaped.hasPrefix(".") || escaped.hasPrefix("'") ? #"\&"# + escaped : escaped
    }

    /// An argument of a macro, in double quotes: one in the text would end it.
    package static func argument(_ text: String) -> String {
        "\"" + escaped(text).replacing("\"", with: #"\(dq"#) + "\""
    }

    /// Paragraphs, with empty lines between them. Indented lines are examples, and are not changed.
    static func paragraphs(_ text: String) -> [String] {
        var lines: [String] = []
        var isExample = false
        func end() {
            if isExample { lines += [".EE", ".RE"] }
            isExample = false
        }
        for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
            if line.hasPrefix("  ") {
                if !isExample { lines += [".PP", ".RS 4", ".EX"] }
                isExample = true
                lines.append(escaped(String(line.dropFirst(2))))
            } else {
                let wasExample = isExample
                end()
                if line.isEmpty {
                    if lines.last != ".PP" { lines.append(".PP") }
                } else {
                    if wasExample { lines.append(".PP") }
                    lines.append(escaped(String(line)))
                }
            }
        }
        end()
        while lines.last == ".PP" { lines.removeLast() }
        while lines.first == ".PP" { lines.removeFirst() }
        // An example begins its own paragraph, so an empty line before it must not begin another one.
        return lines.enumerated().filter { $0.offset == 0 || $0.element != ".PP" || lines[$0.offset - 1] != ".PP" }
            .map(\.element)
    }
}
