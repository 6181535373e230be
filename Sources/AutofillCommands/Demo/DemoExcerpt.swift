// SPDX-License-Identifier: Apache-2.0

/// The essential content of a protocol line, in one line of the terminal: its method or outcome, its beginning, and the
/// password or the reason in it, wherever it is.
struct DemoExcerpt: Equatable {
    let before: String
    /// The password or the reason; empty if there is none.
    let essence: String
    let after: String

    /// Nil for the answer to `hello`, which only --full shows.
    ///
    /// - Parameter columns: the width of the terminal, at least 40.
    init?(_ line: String, columns: Int) {
        let text = Self.withoutEnvelope(line)
        if text.hasPrefix(#"{"protocol":"#) { return nil }
        guard let found = text.firstMatch(of: #/"(?:password|reason)":"(?:[^"\\]|\\.)*"/#) else {
            (before, essence, after) = (text.cut(toColumns: columns), "", "")
            return
        }
        let (head, tail) = (String(text[..<found.range.lowerBound]), String(text[found.range.upperBound...]))
        essence = String(found.output).cut(toColumns: columns - 2)
        before = head.cut(toColumns: max(1, columns - essence.columns - (tail.isEmpty ? 0 : 1)))
        after = tail.cut(toColumns: max(1, columns - before.columns - essence.columns))
    }

    /// `{"jsonrpc":"2.0","id":2,"method":"M","params":P}` as `M P`, and of an answer its result, or `error` and that.
    private static func withoutEnvelope(_ line: String) -> String {
        let opening = #/^\{"jsonrpc":"2.0","id":[0-9]+,/#
        guard let envelope = line.prefixMatch(of: opening), line.hasSuffix("}") else { return line }
        let rest = line[envelope.range.upperBound...].dropLast()
        if let call = rest.prefixMatch(of: #/"method":"([^"]*)"(?:,"params":)?/#) {
            return "\(call.output.1) \(rest[call.range.upperBound...])"
        }
        if let result = rest.prefixMatch(of: #/"result":/#) { return String(rest[result.range.upperBound...]) }
        if let error = rest.prefixMatch(of: #/"error":/#) { return "error \(rest[error.range.upperBound...])" }
        return line
    }
}
