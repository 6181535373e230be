// SPDX-License-Identifier: Apache-2.0
import Foundation
import Reasons
import Testing

@Suite("README.md")
struct ReadmeTests {
    private static let root = URL(filePath: ProtocolDocument.path).deletingLastPathComponent()

    private static func text(_ path: String) throws -> String {
        try String(contentsOf: root.appending(path: path), encoding: .utf8)
    }

    /// The rows of the tables under a heading that begin with a name in code.
    private static func rows(_ heading: String) throws -> [String] {
        ProtocolDocument(try text("README.md")).section(heading).filter { $0.hasPrefix("| `") }
    }

    @Test("The Swift example is the one that is compiled here")
    func swiftExample() throws {
        let example = try #require(ProtocolDocument(try Self.text("README.md")).block("swift"))
        #expect(try Self.text("Tests/DocumentationTests/ReadmeExample.swift").hasSuffix("\n" + example))
    }

    @Test("Every file and folder that it names is there")
    func paths() throws {
        let text = try Self.text("README.md")
        for match in text.matches(of: #/`((?:Sources|Tests|systemd)/[A-Za-z0-9+._/-]*)/#) {
            let path = Self.root.appending(path: String(match.1)).path(percentEncoded: false)
            #expect(FileManager.default.fileExists(atPath: path), "\(match.1)")
        }
        let anchors = try Dictionary(
            uniqueKeysWithValues: ProtocolDocument.paths.map { path in
                (
                    String(path.dropFirst(Self.root.path(percentEncoded: false).count)),
                    try ProtocolDocument.load(path).anchors
                )
            })
        for match in text.matches(of: #/\]\(([^)#:]+)(?:#([^)]*))?\)/#) {
            let target = try #require(anchors[String(match.1)], "\(match.0)")
            if let heading = match.2 { #expect(target.contains(String(heading)), "\(match.0)") }
        }
    }

    @Test("The modules are those of Tests/layers.txt, in its order")
    func modules() throws {
        let layers = try Self.text("Tests/layers.txt").split(separator: "\n")
            .filter { !$0.hasPrefix("#") && !$0.hasPrefix("!") }.compactMap {
                $0.split(separator: ":").first.map(String.init)
            }
        let rows = try Self.rows("## For contributors")
        let named = rows.flatMap { row in
            row.split(separator: "|")[0].matches(of: #/`([\w-]+)`/#).map { String($0.1) }
        }
        #expect(named == layers)
    }

    @Test("Every reason that it advises on is one")
    func reasons() throws {
        let rows = try Self.rows("## When nothing is offered")
        #expect(!rows.isEmpty)
        for row in rows {
            for match in row.split(separator: "|")[0].matches(of: #/`([a-z-]+)`/#) {
                #expect(Reason(rawValue: String(match.1)) != nil, "\(match.1)")
            }
        }
    }
}
