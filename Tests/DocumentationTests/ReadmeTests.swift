// SPDX-License-Identifier: Apache-2.0
import Foundation
import Reasons
import Testing

@Suite("README.md, and the pages for contributors and app developers")
struct ReadmeTests {
    private static let readmes = ["README.md", "Sources/README.md"]

    private static func text(_ path: String) throws -> String {
        try String(contentsOf: ProtocolDocument.root.appending(path: path), encoding: .utf8)
    }

    /// The rows of the tables under a heading that begin with a name in code.
    private static func rows(_ heading: String, of path: String) throws -> [String] {
        ProtocolDocument(try text(path)).section(heading).filter { $0.hasPrefix("| `") }
    }

    @Test("README.md has at most 250 lines of at most 120 columns, and no paragraph over 5 lines")
    func size() throws {
        let lines = try Self.text("README.md").split(separator: "\n", omittingEmptySubsequences: false).dropLast()
        #expect(lines.count <= 250)
        var isCode = false
        var paragraph = 0
        for (number, line) in lines.enumerated() {
            #expect(line.count <= 120, "line \(number + 1)")
            if line.hasPrefix("```") { isCode.toggle() }
            let begins = line.firstMatch(of: #/^(?:- |\d+\. )/#) != nil
            let continues = !line.isEmpty && !isCode && line.firstMatch(of: #/^(?:#|\||```)/#) == nil
            paragraph = continues ? (begins ? 1 : paragraph + 1) : 0
            #expect(paragraph <= 5, "line \(number + 1)")
        }
    }

    @Test("The first link of README.md is the threat model")
    func firstLink() throws {
        let first = try #require(try Self.text("README.md").firstMatch(of: #/\]\(([^)]*)\)/#))
        #expect(first.1 == "Sources/Threat-model.md")
    }

    @Test("The Swift example is the one that is compiled here")
    func swiftExample() throws {
        let example = try #require(ProtocolDocument(try Self.text("Sources/Apps.md")).block("swift"))
        #expect(try Self.text("Tests/DocumentationTests/ReadmeExample.swift").hasSuffix("\n" + example))
    }

    @Test("Every file and folder that they name exists, and so does every link's target", arguments: readmes)
    func paths(_ page: String) throws {
        let text = try Self.text(page)
        for match in text.matches(of: #/[`"]((?:Sources|Tests|systemd)/[A-Za-z0-9+._/-]*)/#) {
            let path = ProtocolDocument.path(of: String(match.1))
            #expect(FileManager.default.fileExists(atPath: path), "\(match.1)")
        }
        let folder = ProtocolDocument.root.appending(path: page).deletingLastPathComponent()
        for match in text.matches(of: #/\]\(([^)#:]*)(?:#([^)]*))?\)/#) {
            let target =
                match.1.isEmpty
                ? ProtocolDocument.path(of: page)
                : folder.appending(path: String(match.1)).path(percentEncoded: false)
            guard let heading = match.2 else {
                #expect(FileManager.default.fileExists(atPath: target), "\(match.0)")
                continue
            }
            #expect(try ProtocolDocument.load(target).anchors.contains(String(heading)), "\(match.0)")
        }
    }

    @Test("The modules are those of Tests/layers.txt, in its order")
    func modules() throws {
        let layers = try Self.text("Tests/layers.txt").split(separator: "\n")
            .filter { !$0.hasPrefix("#") && !$0.hasPrefix("!") }.compactMap {
                $0.split(separator: ":").first.map(String.init)
            }
        let named = try Self.rows("## Structure", of: "Sources/README.md").flatMap { row in
            row.split(separator: "|")[0].matches(of: #/`([\w-]+)`/#).map { String($0.1) }
        }
        #expect(named == layers)
    }

    @Test(
        "Every reason that they advise on is one",
        arguments: [
            ("README.md", "## When nothing is offered"), ("Sources/Apps.md", "## Reasons that apps cause"),
        ])
    func reasons(page: String, heading: String) throws {
        let rows = try Self.rows(heading, of: page)
        #expect(!rows.isEmpty)
        for row in rows {
            for match in row.split(separator: "|")[0].matches(of: #/`([a-z-]+)`/#) {
                #expect(Reason(rawValue: String(match.1)) != nil, "\(match.1)")
            }
        }
    }
}
