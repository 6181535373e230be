// SPDX-License-Identifier: Apache-2.0
import Foundation

/// protocol.md and what stands beside it, with the tables that are written from the code.
struct ProtocolDocument {
    static let path = URL(filePath: #filePath).resolvingSymlinksInPath().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().appending(path: "protocol.md")
        .path(percentEncoded: false)

    /// protocol.md, what some apps may use besides, and what administers.
    static let paths =
        [path]
        + ["Further-methods.md", "Administration.md"].map { name in
            URL(filePath: path).deletingLastPathComponent().appending(path: "Sources/AutofillService/\(name)")
                .path(percentEncoded: false)
        }

    private(set) var lines: [String]

    init(_ text: String) { lines = text.components(separatedBy: "\n") }

    /// All three as one.
    static func load() throws -> ProtocolDocument {
        ProtocolDocument(try paths.map { try String(contentsOfFile: $0, encoding: .utf8) }.joined(separator: "\n"))
    }

    static func load(_ path: String) throws -> ProtocolDocument {
        ProtocolDocument(try String(contentsOfFile: path, encoding: .utf8))
    }

    /// What a link can lead to.
    var anchors: Set<String> {
        Set(
            lines.filter { $0.hasPrefix("#") }.map { heading in
                heading.drop { $0 == "#" }.dropFirst().lowercased().replacing(" ", with: "-")
                    .filter { $0.isLetter || $0.isNumber || $0 == "-" || $0 == "_" }
            })
    }

    var text: String { lines.joined(separator: "\n") }

    /// The text with every run of white space as one space: what a sentence can be looked for in.
    var prose: String { text.split(whereSeparator: \.isWhitespace).joined(separator: " ") }

    // MARK: - Tables between marks

    private static let opening = "<!-- generated: "
    private static let closing = "<!-- end -->"

    /// The names of all marked tables, in their order.
    var tableNames: [String] {
        lines.filter { $0.hasPrefix(Self.opening) }
            .map { String($0.dropFirst(Self.opening.count).dropLast(" -->".count)) }
    }

    /// The lines between the marks of a table, without empty ones; nil where it has no marks.
    func table(_ name: String) -> [String]? {
        range(of: name).map { lines[$0].filter { !$0.isEmpty } }
    }

    /// Writes a table between its marks.
    mutating func replaceTable(_ name: String, with table: [String]) {
        if let range = range(of: name) { lines.replaceSubrange(range, with: [""] + table + [""]) }
    }

    private func range(of name: String) -> Range<Int>? {
        guard let start = lines.firstIndex(of: "\(Self.opening)\(name) -->"),
            let end = lines[start...].firstIndex(of: Self.closing)
        else { return nil }
        return start + 1..<end
    }

    // MARK: - Parts

    /// The lines under a heading, up to the next heading of its level or a higher one.
    func section(_ heading: String) -> [String] {
        guard let start = lines.firstIndex(of: heading) else { return [] }
        let level = heading.prefix { $0 == "#" }.count
        let rest = lines[(start + 1)...]
        let end = rest.firstIndex { line in
            let depth = line.prefix { $0 == "#" }.count
            return (1...level).contains(depth) && line.dropFirst(depth).hasPrefix(" ")
        }
        return Array(rest[..<(end ?? rest.endIndex)])
    }

    /// The first fenced block of a language.
    func block(_ language: String) -> String? {
        guard let start = lines.firstIndex(of: "```\(language)"), let end = lines[(start + 1)...].firstIndex(of: "```")
        else { return nil }
        return lines[(start + 1)..<end].joined(separator: "\n") + "\n"
    }
}
