// SPDX-License-Identifier: Apache-2.0
import AutofillProtocol
import Foundation

/// protocol.md and the pages beside it, with the tables that are generated from the code.
struct ProtocolDocument {
    /// The tree's top directory.
    static let root = URL(filePath: #filePath).resolvingSymlinksInPath().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent()

    /// Every page that is installed beside protocol.md, and the audience of the methods that it describes.
    static let pages: [(name: String, audience: Method.Audience?)] = [
        ("protocol.md", .everyApp), ("Sources/AutofillService/Further-methods.md", .someApps),
        ("Sources/AutofillService/Keychain.md", .someApps), ("Sources/AutofillService/Browsers.md", nil),
        ("Sources/AutofillService/Helpers.md", nil), ("Sources/AutofillService/Administration.md", .administration),
        ("Sources/Apps.md", nil), ("Sources/Threat-model.md", nil),
    ]

    static let paths = pages.map { path(of: $0.name) }

    /// protocol.md's.
    static let path = path(of: "protocol.md")

    static func path(of page: String) -> String { root.appending(path: page).path(percentEncoded: false) }

    private(set) var lines: [String]

    init(_ text: String) { lines = text.components(separatedBy: "\n") }

    /// All pages as one.
    static func load() throws -> ProtocolDocument {
        ProtocolDocument(try paths.map { try String(contentsOfFile: $0, encoding: .utf8) }.joined(separator: "\n"))
    }

    static func load(_ path: String) throws -> ProtocolDocument {
        ProtocolDocument(try String(contentsOfFile: path, encoding: .utf8))
    }

    /// The targets of links.
    var anchors: Set<String> {
        Set(
            lines.filter { $0.hasPrefix("#") }.map { heading in
                heading.drop { $0 == "#" }.dropFirst().lowercased().replacing(" ", with: "-")
                    .filter { $0.isLetter || $0.isNumber || $0 == "-" || $0 == "_" }
            })
    }

    var text: String { lines.joined(separator: "\n") }

    /// The text with every run of white space as one space: for searching a sentence.
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

    // MARK: - Sections

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
