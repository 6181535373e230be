// SPDX-License-Identifier: Apache-2.0
import Foundation
import Support
import Testing

/// The texts of the extension, in `_locales`. Whether they fit is a scenario of Driver/languages.py.
@Suite("The languages of the extension")
struct LanguageTests {
    private static let languages = ["en", "de", "id"]

    /// The texts of a language by their names.
    private func texts(_ language: String) throws -> [String: String] {
        let file = URL(filePath: WebBrowser.extensionFolder + "/_locales/\(language)/messages.json")
        let members = try #require(
            JSONSerialization.jsonObject(with: Data(contentsOf: file)) as? [String: [String: String]])
        return try members.mapValues { try #require($0["message"]) }
    }

    private func sources(_ suffixes: [String]) throws -> [(name: String, text: String)] {
        try FileManager.default.subpathsOfDirectory(atPath: WebBrowser.extensionFolder)
            .filter { path in suffixes.contains { path.hasSuffix($0) } && !path.hasPrefix("_locales") }
            .map { ($0, try String(contentsOfFile: WebBrowser.extensionFolder + "/" + $0, encoding: .utf8)) }
    }

    @Test("Every language has every text, with the same values in it")
    func complete() throws {
        let found = try FileManager.default.contentsOfDirectory(atPath: WebBrowser.extensionFolder + "/_locales")
        #expect(Set(found) == Set(Self.languages))
        let english = try texts("en")
        for language in Self.languages {
            let other = try texts(language)
            #expect(Set(other.keys) == Set(english.keys), "\(language)")
            for (name, text) in other {
                let values = ["$1", "$2", "$3"]
                #expect(!text.isEmpty)
                #expect(
                    values.filter(text.contains) == values.filter((english[name] ?? "").contains),
                    "\(language): \(name)")
            }
        }
    }

    @Test("Every text that the extension uses exists, and every one that exists is used")
    func used() throws {
        let names = Set(try texts("en").keys)
        let all = try sources([".js", ".html", ".json"]).map(\.text).joined(separator: "\n")
        var used: Set<String> = []
        let calls = [
            /(?:say|getMessage|translate)\("([A-Za-z0-9_]+)"/, /data-text="([A-Za-z0-9_]+)"/, /__MSG_([A-Za-z0-9_]+)__/,
        ]
        for call in calls { used.formUnion(all.matches(of: call).map { String($0.output.1) }) }
        #expect(used.subtracting(names).isEmpty)
        // Where the name is chosen, it is a string of its own, or begins with a fixed part.
        let strings = Set(all.matches(of: /"([A-Za-z0-9_]+)"/).map { String($0.output.1) })
        let starts = all.matches(of: /`([a-z]+_[A-Za-z]*)\$\{/).map { String($0.output.1) }
        let unused = names.subtracting(used).subtracting(strings).filter { name in
            !starts.contains(where: name.hasPrefix)
        }
        #expect(unused.isEmpty, "\(unused)")
    }

    @Test("No page has a text of its own")
    func pages() throws {
        for (name, text) in try sources([".html"]) where name != "popup/empty.html" {
            let body = text.replacing(/<!doctype[^>]*>/, with: "").replacing(/<[^>]*>/, with: "")
            let letters = body.trimmingCharacters(in: .whitespacesAndNewlines)
            #expect(letters.isEmpty, "\(name): \(letters)")
        }
    }
}
