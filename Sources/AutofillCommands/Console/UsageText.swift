// SPDX-License-Identifier: Apache-2.0

/// A message of ArgumentParser (help, or an error in the arguments) in readable form: in its usage line the options
/// that most commands have in common are summarised, and the line is broken between options.
struct UsageText {
    let text: String

    private static let proof = "[--passphrase-fd <n>] [--key-file <path>] [--recovery-key] [--recovery-key-fd <n>]"
    private static let common = [
        (proof + " [--prompt]", "[proof options]"), (proof, "[proof options]"),
        ("[--socket <path>] [--json] [--quiet]", "[common options]"),
        ("[--socket <path>] [--json]", "[common options]"),
    ]

    init(_ message: String, columns: Int) {
        let lines = Self.ownOptionsFirst(message).split(separator: "\n", omittingEmptySubsequences: false)
        text = lines.map { line in
            if line.hasPrefix("Error: ") {
                return String(line).wrapped(toColumns: max(20, columns - 7)).joined(separator: "\n       ")
            }
            guard let head = ["USAGE: ", "Usage: "].first(where: { line.hasPrefix($0) }) else { return String(line) }
            let usage = Self.common.reduce(String(line.dropFirst(head.count))) { $0.replacing($1.0, with: $1.1) }
            let lines = Self.broken(usage, toColumns: columns - head.count)
            return head + lines.joined(separator: "\n" + String(repeating: " ", count: head.count))
        }.joined(separator: "\n")
    }

    /// Moves the sections of common options after the command's own.
    private static func ownOptionsFirst(_ message: String) -> String {
        let paragraphs = message.split(separator: "\n\n", omittingEmptySubsequences: false)
        guard let own = paragraphs.firstIndex(where: { $0.hasPrefix("OPTIONS:\n") }) else { return message }
        let isCommon = { (text: Substring) in sections.contains { text.hasPrefix($0) } }
        let before = paragraphs[..<own].filter { !isCommon($0) }
        let common = paragraphs[..<own].filter(isCommon)
        // The last paragraph has a line feed of its own, which must stay at the end.
        let all = (before + [paragraphs[own]] + common + paragraphs[(own + 1)...]).map { $0.trimmingSuffix("\n") }
        return all.joined(separator: "\n\n") + (message.hasSuffix("\n") ? "\n" : "")
    }

    private static let sections = ["PROOF OPTIONS:\n", "COMMON OPTIONS:\n"]

    /// Lines of at most that many columns, not broken inside an option: `[--key-file <path>]` stays on one line.
    private static func broken(_ usage: String, toColumns limit: Int) -> [String] {
        var lines: [String] = []
        var line = ""
        for element in elements(of: usage) {
            if !line.isEmpty, line.columns + 1 + element.columns > limit {
                lines.append(line)
                line = ""
            }
            line += (line.isEmpty ? "" : " ") + element
        }
        return lines + [line]
    }

    /// The elements of the usage: text in square brackets is one element, and so is an option with its value.
    private static func elements(of usage: String) -> [String] {
        var elements: [String] = []
        var depth = 0
        for piece in usage.split(separator: " ") {
            let isValue = piece.hasPrefix("<") && elements.last?.hasPrefix("--") == true && depth == 0
            if depth > 0 || isValue, let last = elements.popLast() {
                elements.append(last + " " + piece)
            } else {
                elements.append(String(piece))
            }
            depth += piece.count { $0 == "[" } - piece.count { $0 == "]" }
        }
        return elements
    }
}

extension Substring {
    fileprivate func trimmingSuffix(_ suffix: String) -> Substring { hasSuffix(suffix) ? dropLast(suffix.count) : self }
}
