// SPDX-License-Identifier: Apache-2.0

/// Answers for an app's own tests: one a line, `BUNDLE-ID SERVICE once|login|allow|deny|never`; `*` matches any. Empty
/// lines and lines that begin with `#` are ignored. Each line answers one question, the first that matches; after the
/// last the answer is no.
package struct ConsentScript: Sendable {
    private struct Line: Sendable {
        let app: String
        let service: String
        let answer: ConsentAnswer
    }

    /// A line that cannot be read.
    package struct Mistake: Error, Hashable, Sendable, CustomStringConvertible {
        /// Counted from 1.
        package let line: Int

        package var description: String {
            "line \(line): expected BUNDLE-ID SERVICE once|login|allow|deny|never, with * for any"
        }
    }

    private var lines: [Line]

    package init(_ text: String) throws(Mistake) {
        lines = []
        for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
            let words = line.split(whereSeparator: { $0 == " " || $0 == "\t" })
            if words.isEmpty || words[0].hasPrefix("#") { continue }
            guard words.count == 3, let answer = ConsentAnswer(rawValue: String(words[2])) else {
                throw Mistake(line: index + 1)
            }
            lines.append(Line(app: String(words[0]), service: String(words[1]), answer: answer))
        }
    }

    /// Removes and returns the first matching line.
    package mutating func answer(app: String, service: String) -> ConsentAnswer {
        let fits = { (pattern: String, name: String) in pattern == "*" || pattern == name }
        guard let index = lines.firstIndex(where: { fits($0.app, app) && fits($0.service, service) }) else {
            return .deny
        }
        return lines.remove(at: index).answer
    }
}
