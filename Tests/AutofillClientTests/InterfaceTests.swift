// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

/// Interface.txt has the library's public declarations, one a line: a change of it shows what breaks for apps.
@Suite("The library's interface")
struct InterfaceTests {
    private static let written = #filePath.replacing("InterfaceTests.swift", with: "Interface.txt")
    private static let sources = #filePath.replacing(
        "Tests/AutofillClientTests/InterfaceTests.swift", with: "Sources/AutofillClient")

    @Test("Each public declaration is in Interface.txt, and nothing else (AUTOFILL_UPDATE_DOCS=1 writes it, and fails)")
    func isWritten() throws {
        let now = try declarations()
        if ProcessInfo.processInfo.environment["AUTOFILL_UPDATE_DOCS"] == "1",
            try String(contentsOfFile: Self.written, encoding: .utf8) != now
        {
            try now.write(toFile: Self.written, atomically: true, encoding: .utf8)
            Issue.record("Interface.txt was rewritten; run again without AUTOFILL_UPDATE_DOCS")
            return
        }
        #expect(try String(contentsOfFile: Self.written, encoding: .utf8) == now)
    }

    /// Returns the declarations of all files, without bodies, each after the type that it belongs to.
    private func declarations() throws -> String {
        let files = try FileManager.default.subpathsOfDirectory(atPath: Self.sources).filter { $0.hasSuffix(".swift") }
        let found = try files.sorted().flatMap { file in
            let text = try String(contentsOfFile: Self.sources + "/" + file, encoding: .utf8)
            let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
            var types: [(indent: Int, name: Substring, line: Substring)] = []
            return lines.indices.compactMap { index -> String? in
                let line = lines[index].drop { $0 == " " }
                let indent = lines[index].count - line.count
                if line.first != "/", !line.isEmpty { types.removeAll { $0.indent >= indent } }
                let isInType = types.last?.indent == indent - 4
                // A case of a public enumeration or a requirement of a public protocol is public without the keyword.
                let isCase = types.last?.line.hasPrefix("public enum ") == true && line.hasPrefix("case ")
                let isNeeded =
                    types.last?.line.hasPrefix("public protocol ") == true && line.contains(/^(?:var|func|init)\b/)
                let isPublic = line.hasPrefix("public ") || isInType && (isCase || isNeeded)
                let type = line.firstMatch(
                    of: /^(?:public )?(?:final )?(?:struct|class|enum|actor|protocol|extension) ([\w.]+)/)
                defer { if let type { types.append((indent, type.1, line)) } }
                guard isPublic, !line.hasPrefix("public import") else { return nil }
                return (types.map { $0.name + "." } + [declaration(at: index, in: lines)]).joined()
            }
        }
        return found.sorted().joined(separator: "\n") + "\n"
    }

    /// Returns one declaration, on one line, up to its body or value.
    private func declaration(at start: Int, in lines: [Substring]) -> String {
        var text = ""
        for line in lines[start...] {
            text += (text.isEmpty ? "" : " ") + line.trimmingCharacters(in: .whitespaces)
            let isWhole = text.count { $0 == "(" } == text.count { $0 == ")" }
            if isWhole, !line.hasSuffix(","), !line.hasSuffix("->") { break }
        }
        let end = text.firstRange(of: " {")?.lowerBound ?? text.endIndex
        return String(text[..<end]).replacing("public ", with: "").replacing("( ", with: "(").replacing(" )", with: ")")
    }
}
