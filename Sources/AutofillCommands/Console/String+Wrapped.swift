// SPDX-License-Identifier: Apache-2.0

extension String {
    /// Itself in lines of at most that many columns, broken at spaces, and long words anywhere, after commas if they
    /// have some. Commands, paths and addresses are not broken, so that they can be copied: a longer one has a line of
    /// its own.
    func wrapped(toColumns limit: Int) -> [String] {
        var lines: [String] = []
        var line: String?
        for piece in pieces.flatMap({ $0.cut(toColumns: limit) }) {
            if let begun = line, begun.columns + 1 + piece.columns <= limit {
                line = begun + " " + piece
            } else {
                if let line { lines.append(line) }
                line = piece
            }
        }
        return lines + [line ?? ""]
    }

    /// Its words, with each command as one piece.
    private var pieces: [Piece] {
        var pieces: [Piece] = []
        var rest = split(separator: " ", omittingEmptySubsequences: false)[...]
        while let word = rest.popFirst() {
            guard Piece.programs.contains(String(word)), !rest.isEmpty else {
                pieces.append(Piece(text: String(word), isWhole: word.contains("/")))
                continue
            }
            var command = String(word)
            while let next = rest.first, !command.endsCommand(before: next) {
                command += " " + next
                rest.removeFirst()
            }
            pieces.append(Piece(text: command, isWhole: true))
        }
        return pieces
    }

    /// Whether a command ends here: at a punctuation mark or a conjunction outside quotes.
    private func endsCommand(before next: Substring) -> Bool {
        var isQuoted = false
        var isEscaped = false
        for character in self {
            if !isEscaped, character == "'" { isQuoted.toggle() }
            isEscaped = !isEscaped && !isQuoted && character == "\\"
        }
        if isQuoted { return false }
        return last.map { ",;.:)".contains($0) } == true || ["or", "and", "then", "if"].contains(next)
            || next.hasPrefix("(")
    }
}

/// A word, or a command.
private struct Piece {
    /// What begins a command in messages and fixes.
    static let programs: Set = [
        "autofillctl", "systemctl", "journalctl", "loginctl", "chmod", "sudo", "apt", "echo", "mv", "man",
    ]

    let text: String
    /// Whether it is not broken, however long it is.
    let isWhole: Bool

    func cut(toColumns limit: Int) -> [String] {
        guard !isWhole, text.columns > limit else { return [text] }
        var lines: [String] = []
        var rest = text[...]
        while String(rest).columns > limit {
            var (end, used) = (rest.startIndex, 0)
            var comma: String.Index?
            while end < rest.endIndex, used + rest[end].columns <= limit {
                let character = rest[end]
                used += character.columns
                rest.formIndex(after: &end)
                if character == ",", used > limit / 3 { comma = end }
            }
            if end == rest.startIndex { break }
            lines.append(String(rest[..<(comma ?? end)]))
            rest = rest[(comma ?? end)...]
        }
        return lines + [String(rest)]
    }
}
