// SPDX-License-Identifier: Apache-2.0

/// A message of ArgumentParser's (help, or what is wrong with the arguments) as it reads well: in its line of usage the options
/// that most commands share are named as what they are, and the line is broken between options.
struct UsageText {
    let text: String

    private static let proof = "[--passphrase-fd <n>] [--key-file <path>] [--recovery-key] [--recovery-key-fd <n>]"
    private static let shared = [
        (proof + " [--prompt]", "[proof options]"), (proof, "[proof options]"),
        ("[--socket <path>] [--json]", "[common options]"),
    ]

    init(_ message: String, columns: Int) {
        let lines = Self.ownOptionsFirst(message).split(separator: "\n", omittingEmptySubsequences: false)
        text = lines.map { line in
            if line.hasPrefix("Error: ") {
                return String(line).wrapped(toColumns: max(20, columns - 7)).joined(separator: "\n       ")
            }
            guard let head = ["USAGE: ", "Usage: "].first(where: { line.hasPrefix($0) }) else { return String(line) }
            let usage = Self.shared.reduce(String(line.dropFirst(head.count))) { $0.replacing($1.0, with: $1.1) }
            let lines = Self.broken(usage, toColumns: columns - head.count)
            return head + lines.joined(separator: "\n" + String(repeating: " ", count: head.count))
        }.joined(separator: "\n")
    }

    /// The sections of shared options after the command's own.
    private static func ownOptionsFirst(_ message: String) -> String {
        let paragraphs = message.split(separator: "\n\n", omittingEmptySubsequences: false)
        guard let own = paragraphs.firstIndex(where: { $0.hasPrefix("OPTIONS:\n") }) else { return message }
        let isShared = { (text: Substring) in sections.contains { text.hasPrefix($0) } }
        let before = paragraphs[..<own].filter { !isShared($0) }
        let shared = paragraphs[..<own].filter(isShared)
        // The last paragraph has a line end of its own, which goes with the last place.
        let all = (before + [paragraphs[own]] + shared + paragraphs[(own + 1)...]).map { $0.trimmingSuffix("\n") }
        return all.joined(separator: "\n\n") + (message.hasSuffix("\n") ? "\n" : "")
    }

    private static let sections = ["PROOF OPTIONS:\n", "COMMON OPTIONS:\n"]

    /// In lines of at most that many columns, where no option is longer: `[--key-file <path>]` stays in one.
    private static func broken(_ usage: String, toColumns limit: Int) -> [String] {
        var lines: [String] = []
        var line = ""
        for word in words(of: usage) {
            if !line.isEmpty, line.columns + 1 + word.columns > limit {
                lines.append(line)
                line = ""
            }
            line += (line.isEmpty ? "" : " ") + word
        }
        return lines + [line]
    }

    /// The usage's parts: what stands in square brackets is one, and so is an option with its value.
    private static func words(of usage: String) -> [String] {
        var words: [String] = []
        var depth = 0
        for piece in usage.split(separator: " ") {
            let isValue = piece.hasPrefix("<") && words.last?.hasPrefix("--") == true && depth == 0
            if depth > 0 || isValue, let last = words.popLast() {
                words.append(last + " " + piece)
            } else {
                words.append(String(piece))
            }
            depth += piece.count { $0 == "[" } - piece.count { $0 == "]" }
        }
        return words
    }
}

extension Substring {
    fileprivate func trimmingSuffix(_ suffix: String) -> Substring { hasSuffix(suffix) ? dropLast(suffix.count) : self }
}
