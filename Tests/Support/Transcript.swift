// SPDX-License-Identifier: Apache-2.0
import Foundation

/// The examples of protocol.md: fenced blocks of the language `transcript`, each a conversation on a fresh daemon.
///
/// A line that begins with `→` is sent, one that begins with `←` is expected; indented lines go on the one before. After
/// the word `transcript` come settings: `app=ID` sends a `hello` first, `vault=missing` starts without a vault,
/// `consent=allow` answers for the user. A string `<name>` stands for any value: the same one wherever it is used again. A member
/// `"…": "…"` stands for any further members.
package struct Transcript: Sendable, CustomStringConvertible {
    package enum Step: Sendable {
        case send(String)
        case expect(String)
    }

    package let title: String
    package let settings: [String: String]
    package let steps: [Step]

    package var description: String { title }

    /// All transcripts of a Markdown text, each titled with the heading above it.
    package static func all(in markdown: String) -> [Transcript] {
        var result: [Transcript] = []
        var heading = ""
        var settings: [String: String]?
        var lines: [String] = []
        for line in markdown.components(separatedBy: "\n") {
            if let current = settings {
                if line.hasPrefix("```") {
                    result.append(
                        Transcript(
                            title: "\(heading) (\(result.count + 1))", settings: current, steps: Self.steps(lines)))
                    settings = nil
                } else {
                    lines.append(line)
                }
            } else if line.hasPrefix("#") {
                heading = line.drop { $0 == "#" || $0 == " " }.description
            } else if line.hasPrefix("```transcript") {
                lines = []
                settings = [:]
                for word in line.split(separator: " ").dropFirst() {
                    let pair = word.split(separator: "=", maxSplits: 1)
                    settings?[String(pair[0])] = pair.count == 2 ? String(pair[1]) : ""
                }
            }
        }
        return result
    }

    private static func steps(_ lines: [String]) -> [Step] {
        var steps: [Step] = []
        for line in lines where !line.trimmingCharacters(in: .whitespaces).isEmpty {
            let text = line.dropFirst().trimmingCharacters(in: .whitespaces)
            switch (line.first, steps.last) {
            case ("→", _): steps.append(.send(text))
            case ("←", _): steps.append(.expect(text))
            case (_, .send(let before)?):
                steps[steps.count - 1] = .send(before + " " + line.trimmingCharacters(in: .whitespaces))
            case (_, .expect(let before)?):
                steps[steps.count - 1] = .expect(before + " " + line.trimmingCharacters(in: .whitespaces))
            default: continue
            }
        }
        return steps
    }
}

/// What the placeholders of a transcript have stood for so far.
package struct Placeholders {
    private var values: [String: String] = [:]

    package init() {}

    /// A line to send, with what is known put in.
    package func filledIn(_ line: String) -> String {
        values.reduce(line) { $0.replacingOccurrences(of: "\"<\($1.key)>\"", with: $1.value) }
    }

    /// Nil when the line is as expected, else what differs.
    package mutating func difference(of line: String, from expected: String) throws -> String? {
        let actual = try JSONSerialization.jsonObject(with: Data(line.utf8), options: .fragmentsAllowed)
        let wanted = try JSONSerialization.jsonObject(with: Data(expected.utf8), options: .fragmentsAllowed)
        return try compare(actual, wanted, at: "")
    }

    private static func text(_ value: Any) throws -> String {
        let data = try JSONSerialization.data(withJSONObject: value, options: [.fragmentsAllowed, .sortedKeys])
        return String(decoding: data, as: UTF8.self)
    }

    private mutating func compare(_ actual: Any, _ wanted: Any, at path: String) throws -> String? {
        if let name = wanted as? String, name.hasPrefix("<"), name.hasSuffix(">") {
            let text = try Self.text(actual)
            let known = values.updateValue(text, forKey: String(name.dropFirst().dropLast()))
            return known == nil || known == text ? nil : "\(path): \(text), which was \(known ?? "") before"
        }
        switch (actual, wanted) {
        case (let actual as [String: Any], var wanted as [String: Any]):
            let isOpen = wanted.removeValue(forKey: "…") != nil
            for (key, value) in wanted.sorted(by: { $0.key < $1.key }) {
                guard let other = actual[key] else { return "\(path).\(key) is missing" }
                if let difference = try compare(other, value, at: "\(path).\(key)") { return difference }
            }
            let extra = Set(actual.keys).subtracting(wanted.keys).sorted()
            return isOpen || extra.isEmpty ? nil : "\(path) has \(extra.joined(separator: ", ")) too"
        case (let actual as [Any], let wanted as [Any]):
            let isOpen = (wanted.last as? String) == "…"
            let wanted = isOpen ? wanted.dropLast() : wanted[...]
            guard isOpen ? actual.count >= wanted.count : actual.count == wanted.count else {
                return "\(path) has \(actual.count) elements, not \(wanted.count)"
            }
            for (index, pair) in zip(actual, wanted).enumerated() {
                if let difference = try compare(pair.0, pair.1, at: "\(path)[\(index)]") { return difference }
            }
            return nil
        default:
            // By their texts: as objects, true and 1 are equal.
            return try Self.text(actual) == Self.text(wanted) ? nil : "\(path) is \(actual), not \(wanted)"
        }
    }
}
